// A page that starts the workflow `?workflow=` of the API at `?api=`, follows it with the browser's own EventSource,
// and answers what it asks.
const asked = new URLSearchParams(location.search);
const api = asked.get("api");
const [state, seen, question] = ["state", "seen", "question"].map((id) => document.getElementById(id));
const [form] = document.forms;

const post = async (path, body) => {
  const answer = await fetch(api + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await answer.json();
};
// An EventSource delivers only events whose names it was given.
const TYPES = [
  ...["run.started", "run.completed", "step.started", "step.completed", "step.retrying", "message.user"],
  ...["message.assistant", "message.thought", "tool.call", "tool.update", "tool.result", "permission.requested"],
  ...["permission.resolved", "input.required", "input.answered", "usage.recorded", "notice", "gap"],
];
const SHOWN = ["connecting", "open", "over"];

try {
  const { run, session } = await post("/api/runs", { workflow: asked.get("workflow") });
  document.title = `${session} ${run}`;
  const source = new EventSource(`${api}/api/runs/${run}/events?live=false`);
  const look = () => {
    state.textContent = `${session} ${run} ${SHOWN[source.readyState]}`;
  };
  source.onopen = look;
  source.onerror = look;
  for (const type of TYPES)
    source.addEventListener(type, ({ data, lastEventId }) => {
      const { payload } = JSON.parse(data);
      const item = document.createElement("li");
      item.textContent = `${lastEventId} ${type}`;
      seen.append(item);
      if (type === "permission.requested") offer(run, payload);
      if (type === "input.required") ask(run, payload);
    });
} catch (error) {
  state.textContent = `over: ${error.message}`;
}

function offer(run, { permission, message, options }) {
  question.textContent = message;
  for (const { id, name, kind } of options) {
    const button = document.createElement("button");
    button.textContent = name;
    button.className = kind;
    button.onclick = () => {
      question.replaceChildren();
      void post(`/api/runs/${run}/decide`, { permission, option: id });
    };
    question.append(button);
  }
}

// The answer names its question: a browser repeats a request whose connection broke before the response.
function ask(run, { input }) {
  form.text.disabled = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    void post(`/api/runs/${run}/answer`, { text: form.text.value, question: input });
    form.reset();
    form.text.disabled = true;
  };
}
