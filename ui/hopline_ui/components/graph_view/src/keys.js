// The keyboard's way through the drawing: arrows go to the nearest node that way.

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** The node that an arrow key leads to from `from`, or undefined where there is none. */
export function next(cy, from, key) {
  const [dx, dy] = WAYS[key];
  const here = from.position();
  let best;
  let least = Infinity;
  cy.nodes(":visible").forEach((node) => {
    if (node.same(from)) return;
    const { x, y } = node.position();
    const along = (x - here.x) * dx + (y - here.y) * dy;
    const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    if (along <= 1 || aside > along * 2.5) return;
    const far = along + 2 * aside;
    if (far < least) [best, least] = [node, far];
  });
  return best;
}

/** Connects keys to what they do: `move(key)`, `choose()`, `expand()`, `clear()`, `zoom(factor)`, `fit()`. */
export function listen(frame, act) {
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const deeds = {
      Enter: act.choose,
      " ": act.choose,
      e: act.expand,
      E: act.expand,
      Escape: act.clear,
      "+": () => act.zoom(1.25),
      "=": () => act.zoom(1.25),
      "-": () => act.zoom(0.8),
      0: act.fit,
    };
    const deed = event.key in WAYS ? () => act.move(event.key) : deeds[event.key];
    if (!deed) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  });
}
