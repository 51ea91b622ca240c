import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";

// in a task of its own: reading the script took one
setTimeout(() => mount(App, { target: document.getElementById("app")! }));

/** The script that keeps the page as an app, where it can be one. */
const offline = document.querySelector<HTMLMetaElement>('meta[name="sunglade-offline"]')?.content;
if (offline !== undefined) {
  void import("./keeping/offline").then(
    ({ keepOffline }) => keepOffline(offline),
    () => undefined, // the page goes on without
  );
}
