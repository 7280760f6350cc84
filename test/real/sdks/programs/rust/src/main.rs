//! A visit of Troupe over HTTP with the official SDK for Rust: visit URL FOLDER.
//!
//! It acts like a user of the SDK, and writes what it sees as lines of JSON, {"scene": …, …}.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, InitializeRequest, LoadSessionRequest, NewSessionRequest, PermissionOptionKind,
    PromptRequest, RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
    ResumeSessionRequest, SelectedPermissionOutcome, SessionId, SessionNotification, SessionUpdate, TextContent,
};
use agent_client_protocol::{Agent, Client, Result};
use agent_client_protocol_http::HttpClient;
use serde_json::{Value, json};
use tokio::sync::Notify;

type Connection = ConnectionTo<Agent>;

/// What one client hears, in order.
#[derive(Default)]
struct Editor {
    heard: Mutex<Vec<SessionUpdate>>,
    news: Notify,
}

impl Editor {
    fn take(&self, update: SessionUpdate) {
        self.heard.lock().unwrap().push(update);
        self.news.notify_waiters();
    }
    fn count(&self, is_it: impl Fn(&SessionUpdate) -> bool) -> usize {
        self.heard.lock().unwrap().iter().filter(|update| is_it(update)).count()
    }
    fn prompts(&self) -> usize {
        self.count(|update| matches!(update, SessionUpdate::UserMessageChunk(_)))
    }
    fn pieces(&self) -> usize {
        self.count(|update| matches!(update, SessionUpdate::AgentMessageChunk(_)))
    }
    fn said(&self) -> String {
        let heard = self.heard.lock().unwrap();
        heard.iter().filter_map(|update| match update {
            SessionUpdate::AgentMessageChunk(chunk) => match &chunk.content {
                ContentBlock::Text(text) => Some(text.text.clone()),
                _ => None,
            },
            _ => None,
        })
        .collect()
    }
    async fn hears(&self, text: &str) {
        loop {
            let news = self.news.notified();
            if serde_json::to_string(&*self.heard.lock().unwrap()).unwrap().contains(text) {
                return;
            }
            news.await;
        }
    }
}

fn tell(scene: &str, what: Value) {
    let mut line = json!({ "scene": scene });
    line.as_object_mut().unwrap().extend(what.as_object().unwrap().clone());
    println!("{line}");
}

/// A client on a connection of its own, until `act` has ended.
async fn enter<T>(url: &str, editor: Arc<Editor>, act: impl AsyncFnOnce(Connection) -> Result<T>) -> Result<T> {
    let hearing = editor.clone();
    Client
        .v1()
        .on_receive_notification(
            async move |notification: SessionNotification, _cx| {
                hearing.take(notification.update);
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _connection| {
                let mut kinds: Vec<String> =
                    request.options.iter().map(|option| json!(option.kind).as_str().unwrap().to_string()).collect();
                kinds.sort();
                tell("question", json!({ "options": kinds }));
                let once = request.options.iter().find(|option| option.kind == PermissionOptionKind::AllowOnce).unwrap();
                let chosen = SelectedPermissionOutcome::new(once.option_id.clone());
                responder.respond(RequestPermissionResponse::new(RequestPermissionOutcome::Selected(chosen)))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(HttpClient::with_endpoint(url).unwrap(), async |connection: Connection| {
            let answer = connection.send_request(InitializeRequest::new(ProtocolVersion::V1)).block_task().await?;
            let name = answer.agent_info.map(|info| info.name);
            tell("initialize", json!({ "protocol": answer.protocol_version, "name": name }));
            act(connection).await
        })
        .await
}

async fn prompt(connection: &Connection, session: &SessionId, text: &str) -> Result<Value> {
    let blocks = vec![ContentBlock::Text(TextContent::new(text))];
    let answer = connection.send_request(PromptRequest::new(session.clone(), blocks)).block_task().await?;
    Ok(json!(answer.stop_reason))
}

async fn visit(url: &str, folder: PathBuf) -> Result<()> {
    let [editor, second, third]: [Arc<Editor>; 3] = Default::default();
    enter(url, editor.clone(), async |agent| {
        let session = agent.send_request(NewSessionRequest::new(folder.clone())).block_task().await?.session_id;
        let stop = prompt(&agent, &session, "/say stream:200").await?;
        let text = editor.said().trim().chars().rev().take(13).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        tell("streaming", json!({ "stop": stop, "pieces": editor.pieces() > 1, "text": text }));
        let stop = prompt(&agent, &session, "/gate").await?;
        tell("permission", json!({ "stop": stop, "opened": editor.said().contains("The gate is open.") }));
        let (stop, _) = tokio::join!(prompt(&agent, &session, "/asleep"), async {
            editor.hears("asleep now").await;
            agent.send_notification(CancelNotification::new(session.clone())).unwrap();
        });
        tell("cancel", json!({ "stop": stop? }));
        let stop = prompt(&agent, &session, "/talk").await?;
        tell("parked", json!({ "stop": stop, "asked": editor.said().contains("Who are you?") }));
        let stop = prompt(&agent, &session, "Ann").await?;
        tell("answered", json!({ "stop": stop, "said": editor.said().ends_with("Ann") }));

        enter(url, second.clone(), async |other| {
            other.send_request(LoadSessionRequest::new(session.clone(), folder.clone())).block_task().await?;
            second.hears("\"Ann\"").await;
            let opened = second.said().contains("The gate is open.");
            tell("load", json!({ "opened": opened, "prompts": second.prompts() }));
            enter(url, third.clone(), async |late| {
                late.send_request(ResumeSessionRequest::new(session.clone(), folder.clone())).block_task().await?;
                tell("resume", json!({ "text": third.said(), "prompts": third.prompts() }));

                let stop = prompt(&late, &session, "Bob").await?;
                tokio::join!(editor.hears("\"Bob\""), second.hears("\"Bob\""));
                tell("two clients", json!({ "stop": stop, "third": third.said().ends_with("Bob") }));
                Ok(())
            })
            .await?;
            let stop = prompt(&other, &session, "").await?;
            tell("ended", json!({ "stop": stop, "bye": second.said().contains("bye") }));
            Ok(())
        })
        .await
    })
    .await
}

#[tokio::main]
async fn main() {
    let [url, folder]: [String; 2] = std::env::args().skip(1).collect::<Vec<_>>().try_into().expect("visit URL FOLDER");
    let all = visit(&url, PathBuf::from(folder));
    tokio::time::timeout(Duration::from_secs(60), all).await.expect("it took too long").expect("the visit failed");
}
