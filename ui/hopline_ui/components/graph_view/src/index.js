// Entry point: Streamlit calls it with the data of every run. One view per position on the page is reused.
//
// In:  data = {nodes: [{id, kind, name, detail?, role?, pinned?, size?}], edges: [{source, target, label?, role?, width?}],
//              path: [id…], selected: id | null, layout: "path" | "force", title, height?}
// Out: state "selected" (a node's id or null), trigger "expand" (a node's id).

import { View } from "./view.js";

const views = new WeakMap();

export default function component({ data, parentElement, setStateValue, setTriggerValue }) {
  let view = views.get(parentElement);
  if (!view) {
    view = new View(parentElement);
    views.set(parentElement, view);
  }
  view.select = (id) => setStateValue("selected", id);
  view.expand = (id) => setTriggerValue("expand", id);
  view.show(data);
  return () => {
    views.delete(parentElement);
    view.close();
  };
}
