// A page that is a client of the agent at `?agent=`. It sends typed text as a prompt, shows what the agent says, and
// shows questions as buttons. It knows the protocol's SDK and nothing of Troupe.
import { client, methods } from "@agentclientprotocol/sdk";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";

const asked = new URLSearchParams(location.search);
const [state, seen, question] = ["state", "seen", "question"].map((id) => document.getElementById(id));
const [form] = document.forms;

const show = (text) => {
  const item = document.createElement("li");
  item.textContent = text;
  seen.append(item);
};
const choose = ({ toolCall, options }) =>
  new Promise((resolve) => {
    question.textContent = toolCall.title;
    for (const { optionId, name, kind } of options) {
      const button = document.createElement("button");
      button.textContent = name;
      button.className = kind;
      button.onclick = () => {
        question.replaceChildren();
        resolve({ outcome: { outcome: "selected", optionId } });
      };
      question.append(button);
    }
  });
/** Resolves with the next typed text, which may be empty. */
const typed = () =>
  new Promise((resolve) => {
    form.text.disabled = false;
    form.onsubmit = (event) => {
      event.preventDefault();
      const text = form.text.value;
      form.reset();
      form.text.disabled = true;
      resolve(text);
    };
  });

const app = client({ name: "page" })
  .onRequest(methods.client.session.requestPermission, ({ params }) => choose(params))
  .onNotification(methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk") show(update.content.text);
  });
try {
  await app.connectWith(createWebSocketStream(asked.get("agent")), async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: asked.get("cwd"), mcpServers: [] });
    for (let turn = 1; ; turn++) {
      state.textContent = `${sessionId} ready for turn ${turn}`;
      const prompt = [{ type: "text", text: await typed() }];
      const { stopReason } = await agent.request(methods.agent.session.prompt, { sessionId, prompt });
      show(`turn ${turn}: ${stopReason}`);
    }
  });
} catch (error) {
  state.textContent = `over: ${error.message}`;
}
