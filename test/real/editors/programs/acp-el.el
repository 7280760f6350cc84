;;; acp-el.el --- A chat over acp.el, for tests  -*- lexical-binding: t; -*-
;; What a chat has to do by itself: it shows what the library hears, in the order in which it hears it. The client is made
;; by what a user writes into the own configuration of agent-shell, whose constructor is all that is replaced.
(require 'acp)
(require 'subr-x)
(setq acp-logging-enabled t
      print-escape-newlines t)

(defvar agent-shell-agent-configs nil)
(unless (fboundp 'agent-shell-make-agent-config)
  (defalias 'agent-shell-make-agent-config #'list))
(load (getenv "VISIT_SETUP") nil t)

(defvar visit-buffer (get-buffer-create "*visit*"))
(defvar visit-client (funcall (plist-get (car agent-shell-agent-configs) :client-maker) visit-buffer))
(defvar visit-session nil)
(defvar visit-question nil "The permission request that is open.")
(defvar visit-prompting nil)
(defvar visit-commands nil)

(defun visit-show (format &rest args)
  (with-current-buffer visit-buffer
    (goto-char (point-max))
    (insert (apply #'format format args) "\n")))

(defun visit-content (content)
  (mapconcat (lambda (one)
               (let-alist one
                 (pcase .type
                   ("content" (format "    %s" (visit-text one)))
                   ("diff" (format "    %s: %S -> %S" (file-name-nondirectory .path) .oldText .newText))
                   (_ (format "    (%s)" .type)))))
             content "\n"))

(defun visit-text (update)
  (map-nested-elt update '(content text)))

(defun visit-update (update)
  (let-alist update
    (unless (or visit-prompting (not (member .sessionUpdate '("agent_message_chunk" "tool_call" "tool_call_update"))))
      (visit-show "! %s outside of a prompt" .sessionUpdate))
    (pcase .sessionUpdate
      ("user_message_chunk" (visit-show "> %s" (visit-text update)))
      ("agent_message_chunk" (visit-show "%s" (visit-text update)))
      ("agent_thought_chunk" (visit-show "(%s)" (visit-text update)))
      ("plan" (visit-show "plan: %s" (mapconcat (lambda (entry) (format "%s %s" (map-elt entry 'content) (map-elt entry 'status)))
                                                .entries ", ")))
      ((or "tool_call" "tool_call_update")
       (visit-show "- %s [%s]" (or .title "") (or .status ""))
       (when .content (visit-show "%s" (visit-content .content))))
      ("available_commands_update" (setq visit-commands (mapcar (lambda (one) (map-elt one 'name)) .availableCommands)))
      ("session_info_update" (visit-show "title: %s" .title)))))

(acp-subscribe-to-notifications
 :client visit-client
 :on-notification (lambda (notification) (visit-update (map-nested-elt notification '(params update)))))
(acp-subscribe-to-requests
 :client visit-client
 :on-request (lambda (request)
               (setq visit-question request)
               (let-alist request
                 (visit-show "? %s\n%s" .params.toolCall.title
                             (mapconcat (lambda (option) (format "  [%s]" (map-elt option 'name))) .params.options "\n")))))
(acp-subscribe-to-errors :client visit-client :on-error (lambda (error) (visit-show "! %S" error)))

(defun visit-ask (request)
  (acp-send-request :client visit-client :request request :sync t))

(defun visit-begin ()
  (visit-ask (acp-make-initialize-request :protocol-version 1 :client-info '((name . "visit") (version . "1")))))
(defun visit-new ()
  (setq visit-session (map-elt (visit-ask (acp-make-session-new-request :cwd default-directory)) 'sessionId)))
(defun visit-titles ()
  (mapcar (lambda (session) (map-elt session 'title))
          (map-elt (visit-ask (acp-make-session-list-request :cwd default-directory)) 'sessions)))
(defun visit-again (title make)
  "Goes on with the session of this TITLE by the request that MAKE makes."
  (let ((sessions (map-elt (visit-ask (acp-make-session-list-request :cwd default-directory)) 'sessions)))
    (setq visit-session
          (map-elt (seq-find (lambda (session) (equal (map-elt session 'title) title)) sessions) 'sessionId)
          visit-prompting t)
    (visit-ask (funcall make :session-id visit-session :cwd default-directory))
    (setq visit-prompting nil)
    (visit-show "--")))
(defun visit-prompt (text)
  (visit-show "> %s" text)
  (setq visit-prompting t)
  (acp-send-request
   :client visit-client
   :request (acp-make-session-prompt-request :session-id visit-session :prompt `(((type . "text") (text . ,text))))
   :on-success (lambda (response)
                 (setq visit-prompting nil)
                 (visit-show "== %s" (map-elt response 'stopReason)))
   :on-failure (lambda (error)
                 (setq visit-prompting nil)
                 (visit-show "== %s" (map-elt error 'message)))))
(defun visit-answer (name)
  "Presses the button of this NAME."
  (let-alist visit-question
    (acp-send-response
     :client visit-client
     :response (acp-make-session-request-permission-response
                :request-id .id
                :option-id (map-elt (seq-find (lambda (option) (equal (map-elt option 'name) name)) .params.options) 'optionId)))))
(defun visit-cancel ()
  (acp-send-notification :client visit-client
                         :notification (acp-make-session-cancel-notification :session-id visit-session)))
(defun visit-chat ()
  (with-current-buffer visit-buffer (buffer-string)))
(defun visit-traffic ()
  "What the library itself shows of the connection."
  (with-current-buffer (acp-traffic-buffer :client visit-client) (buffer-substring-no-properties (point-min) (point-max))))
(defun visit-leave ()
  (acp-shutdown :client visit-client)
  (kill-emacs))
