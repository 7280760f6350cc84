;;; agent-shell.el --- agent-shell without a screen, for tests  -*- lexical-binding: t; -*-
(require 'agent-shell)
(load (getenv "VISIT_SETUP") nil t)

;; From 0.54 on it asks which session is to be resumed, and opens one before the first prompt, not with it.
(when (eq agent-shell-session-strategy 'prompt)
  (setq agent-shell-session-strategy 'new))
;; Its prompt stands before the session is there, and what a resume sends would stand behind it.
(setq agent-shell-session-restore-verbosity 'full)

(defvar visit-shell nil)

(defun visit-open (&optional session)
  "Opens a shell, or goes on with a SESSION there."
  (setq visit-shell
        (agent-shell--start :config (car agent-shell-agent-configs) :no-focus t :new-session t :session-id session))
  t)
(defun visit-is-ready ()
  (or (eq agent-shell-session-strategy 'new-deferred) (map-nested-elt agent-shell--state '(:session :id))))
(defun visit-type (text)
  "Types TEXT where a user would, at the end, and sends it once there is a session."
  (with-current-buffer visit-shell
    (with-timeout (20 (error "There is no session"))
      (while (not (visit-is-ready)) (accept-process-output nil 0.1)))
    (goto-char (point-max))
    (insert text)
    (shell-maker-submit))
  t)
(defun visit-chat ()
  (with-current-buffer visit-shell (buffer-substring-no-properties (point-min) (point-max))))
(defun visit-leave ()
  (kill-emacs))
