// Controls around the graph: toolbar, legend, tooltip and the live region for screen readers.

import { KINDS } from "./theme.js";

const makeElement = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** Add the elements of the component to `parent`: {root, stage, frame, tools, legend, live, tip}. */
export function buildElements(parent, css) {
  const parts = {
    tools: makeElement("div", { class: "tools", role: "toolbar", "aria-label": "Graph tools" }),
    frame: makeElement("div", { class: "frame", tabindex: "0", role: "application", "aria-roledescription": "graph" }),
    legend: makeElement("div", { class: "legend", role: "group", "aria-label": "Node types: show or hide" }),
    live: makeElement("div", { class: "live-region", "aria-live": "polite" }),
    tip: makeElement("div", { class: "tip", hidden: "" }),
  };
  const stage = makeElement("div", { class: "stage" }, parts.tools, parts.frame, parts.tip);
  const root = makeElement("div", { class: "hopline-graph" }, stage, parts.legend, parts.live);
  parent.append(makeElement("style", {}, css), root);
  return { root, stage, ...parts };
}

/** Show the buttons of the toolbar, each [label, description, action]. */
export function showTools(bar, buttons) {
  bar.replaceChildren(
    ...buttons.map(([label, description, action]) => {
      const button = makeElement("button", { type: "button", title: description, "aria-label": description }, label);
      button.addEventListener("click", action);
      return button;
    }),
  );
}

/** Show the legend: a toggle with the count of each kind of node. */
export function showLegend(bar, nodes, hidden, theme, toggle) {
  const counts = new Map();
  for (const { kind } of nodes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const order = (kind) => (KINDS.indexOf(kind) + KINDS.length + 1) % (KINDS.length + 1);
  const kinds = [...counts.keys()].sort((a, b) => order(a) - order(b));
  bar.replaceChildren(
    ...kinds.map((kind) => {
      const mark = makeElement("span", { class: `mark ${KINDS.includes(kind) ? kind : "other"}`, "aria-hidden": "true" });
      mark.style.setProperty("--kind", theme.kinds[kind] ?? theme.faint);
      const button = makeElement("button", { type: "button", "aria-pressed": String(!hidden.has(kind)) }, mark, `${kind} ${counts.get(kind)}`);
      button.title = `${hidden.has(kind) ? "Show" : "Hide"} ${kind}`;
      button.dataset.kind = kind;
      button.addEventListener("click", () => toggle(kind));
      return button;
    }),
  );
}

/** Download a file. */
export function download(name, content) {
  const url = URL.createObjectURL(content);
  const link = makeElement("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
