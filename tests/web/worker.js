// Tables of "this device" for the tests of the client: it speaks as the worker does, and asks a server for the answers.
// What goes wrong is told by the address: worker.js?failed=CODE fails while starting, ?dies=N dies at the Nth word said.
const wish = new URL(location.href).searchParams;
let said = 0;

async function start() {
  for (let done = 0; done <= 4; done++) {
    postMessage({ kind: "progress", part: "python", done, total: 4 });
    if (done === 2 && wish.has("slow")) await new Promise(() => undefined);
  }
  if (wish.has("failed")) postMessage({ kind: "failed", code: wish.get("failed") });
  else postMessage({ kind: "ready" });
}
const started = start();

async function request({ id, method, path, headers, body }) {
  const answer = await fetch(path, { method, headers, body });
  postMessage({ kind: "answer", id, status: answer.status, type: "application/json", body: await answer.text() });
}

// Chromium lets no script that a test made up open sockets to this machine: the page opens them (`test_houses.py`).
const page = new BroadcastChannel("sockets");
page.onmessage = ({ data }) => postMessage(data);

function say({ socket, text }) {
  said += 1;
  if (said === Number(wish.get("dies"))) throw new Error("the worker dies, as it was told to");
  page.postMessage({ kind: "say", socket, text });
}

addEventListener("message", ({ data }) => {
  if (data.kind === "say") say(data);
  else if (data.kind === "hang_up") page.postMessage(data);
  else void started.then(() => (data.kind === "request" ? request(data) : page.postMessage(data)));
});
