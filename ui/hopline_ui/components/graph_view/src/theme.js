// Colours and shapes of the kinds of nodes in light and dark mode, and cytoscape's stylesheet.

export const KINDS = ["question", "community", "entity", "triple", "passage", "table", "figure", "page", "document", "collection"];

export const SHAPES = {
  question: "star",
  community: "ellipse",
  entity: "ellipse",
  triple: "hexagon",
  passage: "ellipse",
  table: "diamond",
  figure: "rhomboid",
  page: "rectangle",
  document: "round-rectangle",
  collection: "round-rectangle",
};

const LIGHT = {
  question: "#c2410c",
  community: "#2b8a3e",
  entity: "#2b8a3e",
  triple: "#9c36b5",
  passage: "#6c757d",
  table: "#b8770f",
  figure: "#a61e4d",
  page: "#0c8599",
  document: "#3b5bdb",
  collection: "#5f3dc4",
};
const DARK = {
  question: "#fb923c",
  community: "#8ce99a",
  entity: "#8ce99a",
  triple: "#e599f7",
  passage: "#adb5bd",
  table: "#ffd43b",
  figure: "#faa2c1",
  page: "#66d9e8",
  document: "#91a7ff",
  collection: "#b197fc",
};

/** Read the page's theme: colours by role, font, and whether it is dark. */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (name, otherwise) => style.getPropertyValue(`--st-${name}`).trim() || otherwise;
  const background = read("background-color", "#ffffff");
  const dark = computeLuminance(background) < 0.35;
  return {
    dark,
    background,
    text: read("text-color", dark ? "#fafafa" : "#262730"),
    primary: read("primary-color", "#c2410c"),
    faint: dark ? "#6b7280" : "#adb5bd",
    font: read("font", "sans-serif"),
    kinds: dark ? DARK : LIGHT,
  };
}

// Relative luminance of a CSS colour, 0 black to 1 white; a canvas parses every notation.
function computeLuminance(colour) {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** Build cytoscape's stylesheet for a theme; `vertical` puts the path's labels to its left. */
export function buildStylesheet(theme, vertical) {
  const kinds = KINDS.map((kind) => ({
    selector: `node[kind = "${kind}"]`,
    style: { shape: SHAPES[kind], "background-color": theme.kinds[kind] },
  }));
  return [
    {
      selector: "node",
      style: {
        label: "data(short)",
        width: 18,
        height: 18,
        color: theme.text,
        "background-color": theme.faint,
        "font-family": theme.font,
        "font-size": 9,
        "text-valign": "bottom",
        "text-margin-y": 3,
        "text-wrap": "wrap",
        "text-max-width": 100,
        "text-background-color": theme.background,
        "text-background-opacity": 0.8,
        "text-background-padding": 1,
        "min-zoomed-font-size": 5,
        "overlay-opacity": 0,
      },
    },
    ...kinds,
    { selector: 'node[kind = "entity"], node[kind = "question"]', style: { width: 20, height: 20 } },
    { selector: "node[size]", style: { width: "data(size)", height: "data(size)" } },
    {
      selector: "node.backing",
      style: { "border-width": 1.2, "border-color": theme.primary, "border-style": "dashed" },
    },
    {
      selector: "node.spine",
      style: {
        width: 28,
        height: 28,
        "border-width": 3,
        "border-color": theme.primary,
        "font-size": 11,
        "font-weight": 600,
        ...(vertical
          ? { "text-valign": "center", "text-halign": "left", "text-margin-x": -6, "text-margin-y": 0, "text-max-width": 92 }
          : {}),
      },
    },
    {
      selector: "edge",
      style: {
        width: 0.8,
        opacity: 0.65,
        "line-color": theme.faint,
        "curve-style": "haystack",
        "font-family": theme.font,
        "font-size": 9,
        color: theme.text,
        "text-wrap": "wrap",
        "text-max-width": 78,
        "text-background-color": theme.background,
        "text-background-opacity": 0.9,
        "text-background-padding": 1,
        "min-zoomed-font-size": 5,
      },
    },
    { selector: "edge[width]", style: { width: "data(width)" } },
    {
      selector: "edge.backing",
      style: {
        width: 1.2,
        opacity: 1,
        "line-color": theme.primary,
        "line-style": "dashed",
        "curve-style": "bezier",
        "target-arrow-shape": "none",
      },
    },
    {
      selector: "edge.spine",
      style: {
        width: 3,
        opacity: 1,
        label: "data(label)",
        "line-color": theme.primary,
        "line-style": "solid",
        "curve-style": "bezier",
        "target-arrow-shape": "triangle",
        "target-arrow-color": theme.primary,
        "arrow-scale": 0.9,
        ...(vertical ? { "text-margin-x": 4, "text-halign": "right" } : { "text-margin-y": -9 }),
      },
    },
    { selector: "edge.named", style: { label: "data(label)", "curve-style": "bezier", opacity: 1 } },
    { selector: "node.pinned", style: { "border-width": 3, "border-style": "double", "border-color": theme.text } },
    { selector: "edge.lit", style: { width: 2, opacity: 1, "line-color": theme.primary, "z-index": 9 } },
    { selector: ".dim", style: { opacity: 0.15 } },
    { selector: ".hidden", style: { display: "none" } },
    {
      selector: "node.selected",
      style: { "underlay-color": theme.primary, "underlay-opacity": 0.28, "underlay-padding": 8, "z-index": 20 },
    },
    {
      selector: "node.focused",
      style: { "outline-width": 2.5, "outline-color": theme.text, "outline-offset": 3, "z-index": 21 },
    },
    { selector: "node.small", style: { width: 13, height: 13 } },
    { selector: "node.known", style: { width: 18, height: 18, "z-index": 10 } },
    { selector: "node.quiet", style: { label: "" } },
    { selector: "node.near, node.selected", style: { label: "data(short)", "z-index": 19 } },
    { selector: "node.covered", style: { label: "" } },
  ];
}
