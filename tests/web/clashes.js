/** Return the texts and controls of the page, or of its open dialog, that overlap, are cut off or lie outside the window. */
() => {
  const dialog = document.querySelector('dialog[open]');
  const root = dialog ?? document.body;
  const found = new Set();
  const items = [];
  const shownIn = new Map();
  /** The boxes outside which an element's content is hidden: for good (hard), or until it is scrolled (soft). */
  const clips = (one) => {
    if (one === null || one === document.body) return { hard: [-1e9, -1e9, 1e9, 1e9], soft: [-1e9, -1e9, 1e9, 1e9] };
    if (shownIn.has(one)) return shownIn.get(one);
    const { overflowX, overflowY, position } = getComputedStyle(one);
    const { hard, soft } = position === 'fixed' ? clips(null) : clips(one.parentElement);
    const box = one.getBoundingClientRect();
    const cut = (clip, x, y) => [
      x ? Math.max(clip[0], box.left) : clip[0], y ? Math.max(clip[1], box.top) : clip[1],
      x ? Math.min(clip[2], box.right) : clip[2], y ? Math.min(clip[3], box.bottom) : clip[3]];
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const answer = { hard: cut(hard, hides(overflowX), hides(overflowY)), soft: cut(soft, overflowX !== 'visible', overflowY !== 'visible') };
    shownIn.set(one, answer);
    return answer;
  };
  const add = (one, within, boxes, control) => {
    const { hard, soft } = clips(within);
    for (const box of boxes) {
      if (box.width < 1 || box.height < 1) continue;
      const name = one.id || `${one.closest('[id]')?.id}: ${one.textContent.trim().slice(0, 20)}`;
      if (box.left < hard[0] - 2 || box.right > hard[2] + 2 || box.top < hard[1] - 3 || box.bottom > hard[3] + 3) found.add(`${name} is cut off`);
      const [l, t, r, b] = [Math.max(box.left, soft[0]), Math.max(box.top, soft[1]), Math.min(box.right, soft[2]), Math.min(box.bottom, soft[3])];
      if (r - l < 1 || b - t < 1) continue; // scrolled away
      if (l < -1 || r > innerWidth + 1) found.add(`${name} is outside`);
      const sheet = one.closest('#column') !== null && getComputedStyle(one.closest('#column')).position === 'fixed';
      const sticky = one.closest('#puzzle-buttons, #practise-this') !== null; // on a phone, the rest scrolls below these
      items.push({ name, one, control, sheet, sticky, l, t, r, b });
    }
  };
  for (const one of root.querySelectorAll(dialog ? '*' : ':not(dialog, dialog *)')) {
    if (one.closest('.unseen, .skip, [role=grid], [popover], svg, noscript')) continue;
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (one.matches('button, input, select, textarea')) {
      add(one, one.parentElement, [one.getBoundingClientRect()], true);
      if (one.matches('button') && one.scrollWidth > one.clientWidth + 1) found.add(`${one.id} is cut off inside`);
    }
    if (one.matches('option, select, textarea')) continue;
    for (const node of one.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      add(one, one, range.getClientRects(), false);
    }
  }
  items.forEach((a, i) => {
    for (const b of items.slice(i + 1)) {
      const [wide, high] = [Math.min(a.r, b.r) - Math.max(a.l, b.l), Math.min(a.b, b.b) - Math.max(a.t, b.t)];
      if (wide <= 2 || high <= (a.control || b.control ? 2 : 4) || a.sheet !== b.sheet || a.sticky !== b.sticky) continue;
      if (!a.one.contains(b.one) && !b.one.contains(a.one)) found.add(`${a.name} overlaps ${b.name}`);
    }
  });
  if (document.documentElement.scrollWidth > innerWidth + 1) found.add(`the page is ${document.documentElement.scrollWidth} px wide`);
  return [...found];
}
