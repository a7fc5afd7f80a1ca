// Everything around the drawing: tool buttons, legend, the line that a screen reader speaks.

import { KINDS } from "./look.js";

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** The parts of the component, in `parent`: {root, frame, tools, legend, voice, tip}. */
export function build(parent, css) {
  const parts = {
    tools: make("div", { class: "tools", role: "toolbar", "aria-label": "Drawing" }),
    frame: make("div", { class: "frame", tabindex: "0", role: "application", "aria-roledescription": "graph" }),
    legend: make("div", { class: "legend", role: "group", "aria-label": "Kinds of nodes: show or hide" }),
    voice: make("div", { class: "voice", "aria-live": "polite" }),
    tip: make("div", { class: "tip", hidden: "" }),
  };
  const stage = make("div", { class: "stage" }, parts.tools, parts.frame, parts.tip);
  const root = make("div", { class: "hopline-graph" }, stage, parts.legend, parts.voice);
  parent.append(make("style", {}, css), root);
  return { root, stage, ...parts };
}

/** Buttons of the tool bar, from [label, description, action]. */
export function tools(bar, list) {
  bar.replaceChildren(
    ...list.map(([label, words, action]) => {
      const button = make("button", { type: "button", title: words, "aria-label": words }, label);
      button.addEventListener("click", action);
      return button;
    }),
  );
}

/** The legend: a switch for each kind that there is, with its count. */
export function legend(bar, nodes, hidden, theme, toggle) {
  const counts = new Map();
  for (const { kind } of nodes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const order = (kind) => (KINDS.indexOf(kind) + KINDS.length + 1) % (KINDS.length + 1);
  const kinds = [...counts.keys()].sort((a, b) => order(a) - order(b));
  bar.replaceChildren(
    ...kinds.map((kind) => {
      const mark = make("span", { class: `mark ${KINDS.includes(kind) ? kind : "other"}`, "aria-hidden": "true" });
      mark.style.setProperty("--kind", theme.kinds[kind] ?? theme.faint);
      const button = make("button", { type: "button", "aria-pressed": String(!hidden.has(kind)) }, mark, `${kind} ${counts.get(kind)}`);
      button.title = `${hidden.has(kind) ? "Show" : "Hide"} ${kind}`;
      button.dataset.kind = kind;
      button.addEventListener("click", () => toggle(kind));
      return button;
    }),
  );
}

/** Hands a file to the user. */
export function download(name, content) {
  const url = URL.createObjectURL(content);
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
