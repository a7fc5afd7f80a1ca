// One graph on the page: keeps the drawing, its theme, what is selected, focused and hidden.

import css from "./graph.css";
import { build, download, legend, tools } from "./chrome.js";
import { arrange, create, dress, fill, fit, heightFor } from "./graph.js";
import { part } from "./labels.js";
import { listen, next } from "./keys.js";
import { themeOf } from "./look.js";
import { svg } from "./svg.js";

const DIMMED = 600; // nodes; where there are more, a node lights up its edges instead of dimming all others
const PAUSE = 120; // milliseconds after the last move until names are shown anew
const WORDS = 12; // edges of a selected node that still say their word
const NARROW = 520; // pixels; below this the path runs downwards
const DEFAULTS = { nodes: [], edges: [], path: [], selected: null, layout: "path", title: "Graph" };

export class View {
  constructor(parent) {
    this.parts = build(parent, css);
    this.cy = create(this.parts.frame);
    this.hidden = new Set();
    this.data = DEFAULTS;
    this.select = this.expand = () => {};
    this.watch();
    this.resizer = new ResizeObserver(() => this.resized());
    this.resizer.observe(this.parts.root);
  }

  close() {
    this.resizer.disconnect();
    this.cy.destroy();
    this.parts.root.remove();
  }

  /** Draws `given`; a run that changed nothing but the selection moves nothing. */
  show(given) {
    const data = { ...DEFAULTS, ...given };
    const drawn = JSON.stringify([data.nodes, data.edges, data.path, data.layout, data.height]);
    this.data = data;
    this.theme = themeOf(this.parts.root);
    this.upright = data.layout === "path" && this.parts.root.clientWidth < NARROW;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.focus = undefined;
      this.draw();
    }
    dress(this.cy, this.theme, this.upright);
    const chosen = data.selected !== this.chosen; // by the page, not by a click in the drawing
    this.mark(data.selected);
    if (chosen && data.layout === "force") this.look(data.selected);
    this.furnish();
  }

  draw() {
    const grown = fill(this.cy, this.data);
    this.hide();
    dress(this.cy, this.theme, this.upright);
    this.measure();
    arrange(this.cy, this.data, this.upright, grown);
    this.parts.root.dataset.drawn = String(this.cy.nodes().length);
  }

  // The frame is as high as its path needs, or as high as it was told.
  measure() {
    const { data, cy, parts } = this;
    let height = data.height ?? 520;
    if (data.layout === "path" && !data.height) {
      arrange(cy, data, this.upright, false);
      height = Math.min(Math.max(heightFor(cy, parts.root.clientWidth), 200), this.upright ? 900 : 460);
    }
    parts.frame.style.height = `${Math.round(height)}px`;
    cy.resize();
  }

  // Buttons are made anew only when they change: a new button would lose the keyboard's focus.
  furnish() {
    const { parts, data, theme } = this;
    const furnished = JSON.stringify([this.drawn, data.title, theme, [...this.hidden]]);
    if (furnished === this.furnished) return;
    this.furnished = furnished;
    const zoom = (factor) => () => this.zoom(factor);
    tools(parts.tools, [
      ...(data.layout === "force" && data.path.length ? [["Path", "Show the path only", () => this.toPath()]] : []),
      ["Fit", "Fit the drawing into its frame", () => fit(this.cy)],
      ["+", "Zoom in", zoom(1.25)],
      ["−", "Zoom out", zoom(0.8)],
      ["PNG", "Save as a PNG picture", () => this.save("png")],
      ["SVG", "Save as an SVG drawing", () => this.save("svg")],
      ["Full", "Full screen", () => this.fullscreen()],
    ]);
    legend(parts.legend, data.nodes, this.hidden, theme, (kind) => this.toggle(kind));
    parts.frame.setAttribute("aria-label", `${data.title}: ${data.nodes.length} nodes. Arrow keys move, Enter selects.`);
  }

  watch() {
    const { cy, parts } = this;
    cy.on("tap", "node", ({ target }) => this.choose(target));
    cy.on("dbltap", "node", ({ target }) => this.expand(target.id()));
    cy.on("tap", (event) => event.target === cy && this.choose(undefined));
    cy.on("viewport", () => {
      clearTimeout(this.moved);
      this.moved = setTimeout(() => this.data.layout === "force" && !cy.destroyed() && part(cy), PAUSE);
    });
    cy.on("mouseover", "node", ({ target }) => this.hover(target));
    cy.on("mouseout", "node", () => this.hover(undefined));
    listen(parts.frame, {
      move: (key) => this.move(key),
      choose: () => this.focus && this.choose(this.focus),
      expand: () => this.focus && this.expand(this.focus.id()),
      clear: () => this.choose(undefined),
      zoom: (factor) => this.zoom(factor),
      fit: () => fit(cy),
    });
    parts.frame.addEventListener("focus", () => parts.frame.matches(":focus-visible") && !this.focus && this.move(null));
    parts.frame.addEventListener("blur", () => this.point(undefined));
    // cytoscape remembers where its frame is, and sees no scrolling outside of this shadow root
    for (const event of ["mousemove", "mousedown", "touchstart", "wheel"])
      parts.root.addEventListener(event, () => cy.renderer().invalidateContainerClientCoordsCache(), { capture: true, passive: true });
    // the wheel scrolls the page unless the drawing has the focus or Ctrl is held
    parts.frame.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && parts.frame.getRootNode().activeElement !== parts.frame) event.stopPropagation();
      },
      { capture: true },
    );
    parts.frame.addEventListener("mousedown", () => parts.frame.focus({ preventScroll: true }));
  }

  choose(node) {
    const id = node ? node.id() : null;
    this.mark(id);
    if (node) this.speak(node);
    if (id !== this.data.selected) {
      this.data = { ...this.data, selected: id };
      this.select(id);
    }
  }

  mark(id) {
    this.cy.nodes(".selected").removeClass("selected");
    this.cy.nodes(".near").removeClass("near");
    this.cy.edges(".named").removeClass("named");
    this.chosen = id;
    if (id) {
      const node = this.cy.getElementById(id);
      node.addClass("selected");
      node.neighborhood("node").addClass("near");
      const ties = node.connectedEdges();
      if (ties.length <= WORDS) ties.addClass("named");
    }
    if (this.data.layout === "force") part(this.cy);
  }

  /** Brings a node and what it is tied to into view. */
  look(id) {
    const node = this.cy.getElementById(id ?? "");
    if (node.length) fit(this.cy, node.closedNeighborhood().not(".hidden"));
  }

  hover(node) {
    const { cy, parts } = this;
    cy.elements(".dim, .lit").removeClass("dim lit");
    parts.frame.classList.toggle("reaching", Boolean(node));
    parts.tip.hidden = !node;
    if (!node) return;
    if (cy.nodes().length > DIMMED) node.connectedEdges().addClass("lit");
    else cy.elements().not(node.closedNeighborhood()).addClass("dim");
    const { x, y } = node.renderedPosition();
    parts.tip.textContent = [node.data("name"), node.data("detail")].filter(Boolean).join("\n");
    const left = Math.min(Math.max(x - parts.tip.offsetWidth / 2, 4), parts.frame.clientWidth - parts.tip.offsetWidth - 4);
    const over = y - node.renderedHeight() / 2 - parts.tip.offsetHeight - 8;
    parts.tip.style.left = `${left}px`;
    parts.tip.style.top = `${over > 4 ? over : y + node.renderedHeight() / 2 + 26}px`;
  }

  move(key) {
    const from = this.focus ?? this.cy.nodes(".selected").first();
    if (key && from.length) this.point(next(this.cy, from, key) ?? from);
    else this.point(from.length ? from : this.cy.nodes(".spine, node").filter(":visible").first());
  }

  point(node) {
    this.cy.nodes(".focused").removeClass("focused");
    this.focus = node?.length ? node : undefined;
    if (!this.focus) return;
    this.focus.addClass("focused");
    this.speak(this.focus);
    const { x1, y1, x2, y2 } = this.focus.renderedBoundingBox();
    const { clientWidth, clientHeight } = this.parts.frame;
    if (x1 < 0 || y1 < 0 || x2 > clientWidth || y2 > clientHeight) this.cy.center(this.focus);
  }

  speak(node) {
    const tied = node
      .connectedEdges(":visible")
      .map((edge) => [edge.source(), edge.data("label"), edge.target()])
      .map(([from, label, to]) => `${from.data("name")} ${label || "to"} ${to.data("name")}`);
    this.parts.voice.textContent = `${node.data("name")}, ${node.data("kind")}. ${tied.slice(0, 4).join("; ")}`;
  }

  toggle(kind) {
    if (!this.hidden.delete(kind)) this.hidden.add(kind);
    this.hide();
    this.furnish();
    this.parts.legend.querySelector(`[data-kind="${CSS.escape(kind)}"]`)?.focus();
  }

  hide() {
    this.cy.batch(() => {
      this.cy.nodes().forEach((node) => {
        node.toggleClass("hidden", this.hidden.has(node.data("kind")));
      });
    });
  }

  toPath() {
    fit(this.cy, this.cy.nodes(".spine"));
  }

  zoom(factor) {
    const { clientWidth, clientHeight } = this.parts.frame;
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: clientWidth / 2, y: clientHeight / 2 } });
  }

  save(kind) {
    const name = this.data.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "graph";
    const content =
      kind === "svg"
        ? new Blob([svg(this.cy, this.theme)], { type: "image/svg+xml" })
        : this.cy.png({ output: "blob", full: true, scale: 2, bg: this.theme.background, maxWidth: 8000, maxHeight: 8000 });
    download(`${name}.${kind}`, content);
  }

  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.parts.stage.requestFullscreen?.();
  }

  // A frame that became narrow or wide turns the path; any other change fits it again.
  resized() {
    const width = this.parts.root.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    const upright = this.data.layout === "path" && width < NARROW;
    if (this.theme && upright !== this.upright) {
      this.upright = upright;
      this.draw();
      this.mark(this.data.selected);
      return;
    }
    this.cy.resize();
    fit(this.cy);
  }
}
