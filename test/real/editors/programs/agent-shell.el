;;; agent-shell.el --- agent-shell without a screen, for tests  -*- lexical-binding: t; -*-
(require 'agent-shell)
(load (getenv "VISIT_SETUP") nil t)

(defvar visit-shell nil)

(defun visit-open (&optional session)
  "Opens a shell, or goes on with a SESSION there."
  (setq visit-shell
        (agent-shell--start :config (car agent-shell-agent-configs) :no-focus t :new-session t :session-id session))
  t)
(defun visit-type (text)
  "Types TEXT where a user would, at the end, and sends it."
  (with-current-buffer visit-shell
    (goto-char (point-max))
    (insert text)
    (shell-maker-submit))
  t)
(defun visit-chat ()
  (with-current-buffer visit-shell (buffer-substring-no-properties (point-min) (point-max))))
(defun visit-leave ()
  (kill-emacs))
