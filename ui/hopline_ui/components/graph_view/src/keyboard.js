// Keyboard navigation: arrow keys move to the nearest node in their direction.

const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Return the node that an arrow key leads to from `from`, or undefined. */
export function findNext(cy, from, key) {
  const [dx, dy] = DIRECTIONS[key];
  const here = from.position();
  let best;
  let shortest = Infinity;
  cy.nodes(":visible").forEach((node) => {
    if (node.same(from)) return;
    const { x, y } = node.position();
    const along = (x - here.x) * dx + (y - here.y) * dy;
    const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    if (along <= 1 || aside > along * 2.5) return;
    const distance = along + 2 * aside;
    if (distance < shortest) [best, shortest] = [node, distance];
  });
  return best;
}

/** Bind keys to actions: `move(key)`, `select()`, `expand()`, `clear()`, `zoom(factor)`, `fit()`. */
export function bindKeys(frame, actions) {
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const bindings = {
      Enter: actions.select,
      " ": actions.select,
      e: actions.expand,
      E: actions.expand,
      Escape: actions.clear,
      "+": () => actions.zoom(1.25),
      "=": () => actions.zoom(1.25),
      "-": () => actions.zoom(0.8),
      0: actions.fit,
    };
    const action = event.key in DIRECTIONS ? () => actions.move(event.key) : bindings[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
}
