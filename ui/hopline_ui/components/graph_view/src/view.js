// One graph on the page, with its state: theme, selected and focused node, hidden kinds.

import css from "./graph.css";
import { buildElements, download, showLegend, showTools } from "./controls.js";
import { applyStyle, computeHeight, createGraph, fit, layoutGraph, updateElements } from "./graph.js";
import { bindKeys, findNext } from "./keyboard.js";
import { updateLabels } from "./labels.js";
import { toSvg } from "./svg.js";
import { readTheme } from "./theme.js";

const MAX_DIMMED = 600; // nodes; above it hovering highlights a node's edges instead of dimming all others
const DELAY = 120; // milliseconds after the last move until labels are updated
const MAX_EDGE_LABELS = 12; // edges of a selected node; above it they have no labels
const MIN_WIDTH = 520; // pixels; below it the path is vertical
const DEFAULTS = { nodes: [], edges: [], path: [], selected: null, layout: "path", title: "Graph" };

export class View {
  constructor(parent) {
    this.parts = buildElements(parent, css);
    this.cy = createGraph(this.parts.frame);
    this.hidden = new Set();
    this.data = DEFAULTS;
    this.select = this.expand = () => {};
    this.bindEvents();
    this.resizer = new ResizeObserver(() => this.onResize());
    this.resizer.observe(this.parts.root);
  }

  close() {
    this.resizer.disconnect();
    this.cy.destroy();
    this.parts.root.remove();
  }

  /** Show `given` data; if only the selection changed, nodes keep their positions. */
  show(given) {
    const data = { ...DEFAULTS, ...given };
    const drawn = JSON.stringify([data.nodes, data.edges, data.path, data.layout, data.height]);
    this.data = data;
    this.theme = readTheme(this.parts.root);
    this.vertical = data.layout === "path" && this.parts.root.clientWidth < MIN_WIDTH;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.focus = undefined;
      this.draw();
    }
    applyStyle(this.cy, this.theme, this.vertical);
    const isNew = data.selected !== this.marked; // selected by the page, not by a click in the graph
    this.mark(data.selected);
    if (isNew && data.layout === "force") this.focusView(data.selected);
    this.updateControls();
  }

  draw() {
    const update = updateElements(this.cy, this.data);
    this.applyHidden();
    applyStyle(this.cy, this.theme, this.vertical);
    this.resizeFrame();
    layoutGraph(this.cy, this.data, this.vertical, update);
    this.parts.root.dataset.drawn = String(this.cy.nodes().length);
  }

  // The frame has the given height, or the height of its path.
  resizeFrame() {
    const { data, cy, parts } = this;
    let height = data.height ?? 520;
    if (data.layout === "path" && !data.height) {
      layoutGraph(cy, data, this.vertical, false);
      height = Math.min(Math.max(computeHeight(cy, parts.root.clientWidth), 200), this.vertical ? 900 : 460);
    }
    parts.frame.style.height = `${Math.round(height)}px`;
    cy.resize();
  }

  // Buttons are recreated only when they change, because a new button would lose the keyboard focus.
  updateControls() {
    const { parts, data, theme } = this;
    const controls = JSON.stringify([this.drawn, data.title, theme, [...this.hidden]]);
    if (controls === this.controls) return;
    this.controls = controls;
    const zoom = (factor) => () => this.zoom(factor);
    showTools(parts.tools, [
      ...(data.layout === "force" && data.path.length ? [["Path", "Fit to path", () => this.fitPath()]] : []),
      ["Fit", "Fit to view", () => fit(this.cy)],
      ["+", "Zoom in", zoom(1.25)],
      ["−", "Zoom out", zoom(0.8)],
      ["PNG", "Download PNG", () => this.save("png")],
      ["SVG", "Download SVG", () => this.save("svg")],
      ["Full", "Full screen", () => this.fullscreen()],
    ]);
    showLegend(parts.legend, data.nodes, this.hidden, theme, (kind) => this.toggle(kind));
    parts.frame.setAttribute("aria-label", `${data.title}: ${data.nodes.length} nodes. Use arrow keys to move and Enter to select.`);
  }

  bindEvents() {
    const { cy, parts } = this;
    cy.on("tap", "node", ({ target }) => this.selectNode(target));
    cy.on("dbltap", "node", ({ target }) => this.expand(target.id()));
    cy.on("tap", (event) => event.target === cy && this.selectNode(undefined));
    cy.on("viewport", () => {
      clearTimeout(this.moved);
      this.moved = setTimeout(() => this.data.layout === "force" && !cy.destroyed() && updateLabels(cy), DELAY);
    });
    cy.on("mouseover", "node", ({ target }) => this.hover(target));
    cy.on("mouseout", "node", () => this.hover(undefined));
    bindKeys(parts.frame, {
      move: (key) => this.move(key),
      select: () => this.focus && this.selectNode(this.focus),
      expand: () => this.focus && this.expand(this.focus.id()),
      clear: () => this.selectNode(undefined),
      zoom: (factor) => this.zoom(factor),
      fit: () => fit(cy),
    });
    parts.frame.addEventListener("focus", () => parts.frame.matches(":focus-visible") && !this.focus && this.move(null));
    parts.frame.addEventListener("blur", () => this.focusNode(undefined));
    // cytoscape caches the position of its frame and does not see scrolling outside this shadow root
    for (const event of ["mousemove", "mousedown", "touchstart", "wheel"])
      parts.root.addEventListener(event, () => cy.renderer().invalidateContainerClientCoordsCache(), { capture: true, passive: true });
    // the wheel scrolls the page unless the graph has the focus or Ctrl is held
    parts.frame.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && parts.frame.getRootNode().activeElement !== parts.frame) event.stopPropagation();
      },
      { capture: true },
    );
    parts.frame.addEventListener("mousedown", () => parts.frame.focus({ preventScroll: true }));
  }

  selectNode(node) {
    const id = node ? node.id() : null;
    this.mark(id);
    if (node) this.announce(node);
    if (id !== this.data.selected) {
      this.data = { ...this.data, selected: id };
      this.select(id);
    }
  }

  mark(id) {
    this.cy.nodes(".selected").removeClass("selected");
    this.cy.nodes(".near").removeClass("near");
    this.cy.edges(".named").removeClass("named");
    this.marked = id;
    if (id) {
      const node = this.cy.getElementById(id);
      node.addClass("selected");
      node.neighborhood("node").addClass("near");
      const edges = node.connectedEdges();
      if (edges.length <= MAX_EDGE_LABELS) edges.addClass("named");
    }
    if (this.data.layout === "force") updateLabels(this.cy);
  }

  /** Fit a node and its neighbours into view. */
  focusView(id) {
    const node = this.cy.getElementById(id ?? "");
    if (node.length) fit(this.cy, node.closedNeighborhood().not(".hidden"));
  }

  hover(node) {
    const { cy, parts } = this;
    cy.elements(".dim, .lit").removeClass("dim lit");
    parts.frame.classList.toggle("reaching", Boolean(node));
    parts.tip.hidden = !node;
    if (!node) return;
    if (cy.nodes().length > MAX_DIMMED) node.connectedEdges().addClass("lit");
    else cy.elements().not(node.closedNeighborhood()).addClass("dim");
    const { x, y } = node.renderedPosition();
    parts.tip.textContent = [node.data("name"), node.data("detail")].filter(Boolean).join("\n");
    const left = Math.min(Math.max(x - parts.tip.offsetWidth / 2, 4), parts.frame.clientWidth - parts.tip.offsetWidth - 4);
    const above = y - node.renderedHeight() / 2 - parts.tip.offsetHeight - 8;
    parts.tip.style.left = `${left}px`;
    parts.tip.style.top = `${above > 4 ? above : y + node.renderedHeight() / 2 + 26}px`;
  }

  move(key) {
    const from = this.focus ?? this.cy.nodes(".selected").first();
    if (key && from.length) this.focusNode(findNext(this.cy, from, key) ?? from);
    else this.focusNode(from.length ? from : this.cy.nodes(".spine, node").filter(":visible").first());
  }

  focusNode(node) {
    this.cy.nodes(".focused").removeClass("focused");
    this.focus = node?.length ? node : undefined;
    if (!this.focus) return;
    this.focus.addClass("focused");
    this.announce(this.focus);
    const { x1, y1, x2, y2 } = this.focus.renderedBoundingBox();
    const { clientWidth, clientHeight } = this.parts.frame;
    if (x1 < 0 || y1 < 0 || x2 > clientWidth || y2 > clientHeight) this.cy.center(this.focus);
  }

  announce(node) {
    const edges = node
      .connectedEdges(":visible")
      .map((edge) => [edge.source(), edge.data("label"), edge.target()])
      .map(([from, label, to]) => `${from.data("name")} ${label || "to"} ${to.data("name")}`);
    this.parts.live.textContent = `${node.data("name")}, ${node.data("kind")}. ${edges.slice(0, 4).join("; ")}`;
  }

  toggle(kind) {
    if (!this.hidden.delete(kind)) this.hidden.add(kind);
    this.applyHidden();
    this.updateControls();
    this.parts.legend.querySelector(`[data-kind="${CSS.escape(kind)}"]`)?.focus();
  }

  applyHidden() {
    this.cy.batch(() => {
      this.cy.nodes().forEach((node) => {
        node.toggleClass("hidden", this.hidden.has(node.data("kind")));
      });
    });
  }

  fitPath() {
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
        ? new Blob([toSvg(this.cy, this.theme)], { type: "image/svg+xml" })
        : this.cy.png({ output: "blob", full: true, scale: 2, bg: this.theme.background, maxWidth: 8000, maxHeight: 8000 });
    download(`${name}.${kind}`, content);
  }

  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.parts.stage.requestFullscreen?.();
  }

  // Turn the path if the frame became narrow or wide; otherwise fit the graph again.
  onResize() {
    const width = this.parts.root.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    const vertical = this.data.layout === "path" && width < MIN_WIDTH;
    if (this.theme && vertical !== this.vertical) {
      this.vertical = vertical;
      this.draw();
      this.mark(this.data.selected);
      return;
    }
    this.cy.resize();
    fit(this.cy);
  }
}
