// The byte map: the file as a strip to scale, and the structures in it.

const PAGES = 11;    // adjacent pages of one column chunk, drawn as one
const SEVERAL = 12;  // adjacent structures, drawn as one
const PAGE_HEADER = 1;
const PAGE_BODY = 2;
const GAP = 10;
const DICTIONARY_PAGE = 2;

/** The structures of the map, as html_map.cpp writes them, with their offsets. They cover the file. */
function readItems(map) {
  const items = [];
  let offset = 0;
  for (const [kind, length, ...more] of map.segments) {
    const item = { kind, offset, length, end: offset + length, rowGroup: -1, leaf: -1, page: -1, type: -1, values: -1, encoding: -1, uncompressed: -1, count: 1, index: items.length };
    if (kind === SEVERAL) [item.count] = more;
    else if (kind === PAGES) [item.rowGroup, item.leaf, item.count] = more;
    else if (more.length > 0) [item.rowGroup, item.leaf, item.page = -1, item.type = -1, item.values = -1, item.encoding = -1, item.uncompressed = -1] = more;
    else if (kind === PAGE_BODY) ({ rowGroup: item.rowGroup, leaf: item.leaf, page: item.page, type: item.type } = items.at(-1));
    items.push(item);
    offset = item.end;
  }
  return items;
}

function kindText(item) {
  if (item.kind === PAGES) return `${counted(item.count, 'adjacent page')}`;
  if (item.kind === SEVERAL) return `${counted(item.count, 'adjacent structure')}`;
  const name = HEAD.kinds[item.kind];
  return item.kind === PAGE_HEADER || item.kind === PAGE_BODY ? `${name}, ${enumText(HEAD.page_types, item.type, 'page type')}` : name;
}

/** Class of an item, which gives its colour. */
function kindClass(item) {
  if (item.kind === PAGES) return 'page-body';
  if (item.kind === SEVERAL) return 'several';
  if (item.kind === PAGE_BODY && item.type === DICTIONARY_PAGE) return 'dictionary';
  return HEAD.kinds[item.kind];
}

const KIND_NAMES = { dictionary: 'dictionary page', several: 'several structures', gap: 'gap: no structure' };
const UNITS = 1000;    // width of the strip, whatever its width in pixels
const HEIGHT = 56;
const MARKS = 12;      // part of the height for the marks of findings

/** The item that contains a byte; the last one for a byte after the end. */
function itemAt(items, offset) {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (items[middle].offset <= offset) low = middle;
    else high = middle - 1;
  }
  return items[low];
}

/**
 * The map of a file. `marks`: {offset, severity, text, show} of its findings; show() goes to a finding.
 * Returns {view, show(offset), zoomTo(from, to)}.
 */
function byteMap(map, items, columnName, marks) {
  let from = 0;
  let to = Math.max(map.size, 1);
  let selected = null;
  const strip = element('svg', { class: 'strip', viewBox: `0 0 ${UNITS} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  const holder = element('div', { class: 'map', tabindex: 0, role: 'group', 'aria-label': 'Byte map', 'aria-describedby': 'map-keys' }, strip);
  const range = element('p', { class: 'range' });
  const about = element('div', { class: 'selected', role: 'status' });
  const legend = element('ul', { class: 'legend', 'aria-label': 'Colours' });

  function rectangle(className, first, last, title) {
    const rect = element('rect', { class: className, x: first, y: MARKS, width: last - first, height: HEIGHT - MARKS });
    if (title) rect.append(element('title', {}, title));
    return rect;
  }

  /** Items narrower than a unit share it; the kind with the most bytes gives its colour. */
  function drawItems() {
    const scale = UNITS / (to - from);
    const drawn = [];
    let bytes = new Map();
    let unit = -1;
    const finish = () => {
      if (unit >= 0) drawn.push(rectangle(`thin ${[...bytes].reduce((a, b) => (b[1] > a[1] ? b : a))[0]}`, unit, unit + 1));
      bytes = new Map();
      unit = -1;
    };
    for (let i = itemAt(items, from).index; i < items.length && items[i].offset < to; ++i) {
      const item = items[i];
      const first = Math.max(0, (item.offset - from) * scale);
      const last = Math.min(UNITS, (item.end - from) * scale);
      if (last - first >= 1) {
        finish();
        drawn.push(rectangle(kindClass(item) + (last - first < 3 ? ' thin' : ''), first, last, `${kindText(item)}: bytes ${number(item.offset)} to ${number(item.end - 1)}`));
        continue;
      }
      if (Math.floor(first) !== unit) finish();
      unit = Math.floor(first);
      bytes.set(kindClass(item), (bytes.get(kindClass(item)) ?? 0) + item.length);
    }
    finish();
    return drawn;
  }

  function drawMarks() {
    const scale = UNITS / (to - from);
    const worst = new Map();
    for (const mark of marks) {
      if (mark.offset < from || mark.offset > to) continue;
      const unit = Math.min(UNITS - 4, Math.floor((mark.offset - from) * scale / 4) * 4);
      worst.set(unit, Math.min(worst.get(unit) ?? mark.severity, mark.severity));
    }
    return [...worst].map(([unit, severity]) => element('rect', { class: `mark ${SEVERITIES[severity]}`, x: unit, y: 0, width: 4, height: MARKS - 2 }));
  }

  function draw() {
    const chosen = selected && element('rect', { class: 'window', y: MARKS, height: HEIGHT - MARKS,
      x: Math.max(-5, (selected.offset - from) / (to - from) * UNITS), width: Math.max(2, Math.min(UNITS + 10, selected.length / (to - from) * UNITS)) });
    strip.replaceChildren(...drawItems(), ...drawMarks(), ...(chosen ? [chosen] : []));
    const text = `Bytes ${number(Math.floor(from))} to ${number(Math.max(0, Math.ceil(to) - 1))} of ${number(map.size)}`;
    strip.setAttribute('aria-label', `${text}, a picture of the structures in the file`);
    range.textContent = text;
  }

  function zoomTo(first, last) {
    const width = Math.min(map.size || 1, Math.max(8, last - first));
    from = Math.min(Math.max(0, first), Math.max(0, map.size - width));
    to = from + width;
    draw();
  }

  function zoom(factor, around = selected && selected.offset < to && selected.end > from ? (Math.max(selected.offset, from) + Math.min(selected.end, to)) / 2 : (from + to) / 2) {
    const width = (to - from) * factor;
    const share = (around - from) / (to - from);
    zoomTo(around - width * share, around + width * (1 - share));
  }

  function describe(item) {
    const place = placeText({ rowGroup: item.rowGroup, leaf: item.leaf, page: item.page }, { [item.leaf]: columnName(item.leaf) });
    const here = marks.filter((mark) => mark.offset >= item.offset && mark.offset < item.end);
    about.replaceChildren(
      element('strong', {}, kindText(item)), place && ` of ${place}`,
      facts([
        ['Bytes', `${number(item.offset)} to ${number(item.end - 1)} (0x${item.offset.toString(16)} to 0x${(item.end - 1).toString(16)})`],
        ['Length', `${counted(item.length, 'byte')}${item.length >= 1000 ? ` (${size(item.length)})` : ''}`],
        ['Values', item.values < 0 ? null : number(item.values)],
        ['Encoding', item.encoding < 0 ? null : enumText(HEAD.encodings, item.encoding, 'encoding')],
        ['Uncompressed', item.uncompressed < 0 ? null : counted(item.uncompressed, 'byte')],
      ]),
      here.length > 0 ? element('ul', {}, here.slice(0, 10).map((mark) => element('li', {}, badge(SEVERITIES[mark.severity]), ' ', button(mark.text, mark.show))),
        here.length > 10 && element('li', {}, `and ${number(here.length - 10)} more`)) : '');
  }

  /** Selects an item and scrolls it into view. */
  function select(item) {
    selected = item;
    const width = to - from;
    if (item.offset < from || item.end > to || item.length / width < 1 / UNITS) {
      const wanted = Math.min(width, Math.max(item.length * 8, 64));
      zoomTo((item.offset + item.end) / 2 - wanted / 2, (item.offset + item.end) / 2 + wanted / 2);
    } else {
      draw();
    }
    describe(item);
  }

  function step(by) {
    const next = selected ? selected.index + by : itemAt(items, from).index;
    if (items[next]) select(items[next]);
  }

  function toNextFinding(by) {
    const at = selected ? selected.offset : -1;
    const sorted = marks.map((mark) => mark.offset).sort((a, b) => a - b);
    const next = by > 0 ? sorted.find((offset) => itemAt(items, offset).offset > at) : sorted.findLast((offset) => itemAt(items, offset).offset < at);
    if (next !== undefined) select(itemAt(items, next));
  }

  const byteUnder = (event) => {
    const box = strip.getBoundingClientRect();
    return from + (to - from) * (event.clientX - box.left) / box.width;
  };
  strip.addEventListener('click', (event) => {
    if (event.detail < 2) select(itemAt(items, byteUnder(event)));
  });
  strip.addEventListener('dblclick', (event) => zoom(1 / 4, byteUnder(event)));
  strip.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.5 : 1 / 1.5, byteUnder(event));
  }, { passive: false });
  const keys = {
    ArrowRight: () => step(1), ArrowLeft: () => step(-1), '+': () => zoom(1 / 2), '-': () => zoom(2),
    Home: () => zoomTo(0, map.size), Enter: () => selected && zoomTo(selected.offset, selected.end),
    n: () => toNextFinding(1), p: () => toNextFinding(-1),
  };
  holder.addEventListener('keydown', (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  const goTo = element('input', { type: 'text', inputmode: 'numeric', id: 'go-to', size: 12, placeholder: '1234 or 0x4d2' });
  const go = () => {
    const wanted = Number(goTo.value.replaceAll(',', '').trim());
    const there = goTo.value.trim() !== '' && Number.isInteger(wanted) && wanted >= 0 && wanted < map.size;
    goTo.setAttribute('aria-invalid', !there);
    if (there) select(itemAt(items, wanted));
  };
  goTo.addEventListener('keydown', (event) => { if (event.key === 'Enter') go(); });

  const kinds = new Set(items.map(kindClass));
  legend.append(...[...kinds].map((kind) => element('li', {}, element('span', { class: `swatch ${kind}` }), KIND_NAMES[kind] ?? kind)),
    ...(marks.length ? [element('li', {}, element('span', { class: 'swatch mark error' }), 'findings, above the strip')] : []));

  const view = element('section', { 'aria-labelledby': 'map-title' },
    element('h3', { id: 'map-title', tabindex: -1 }, 'Byte map'),
    element('p', { class: 'hint', id: 'map-keys' }, 'The file to scale. Click a structure, or step with the arrow keys; + and - zoom, Home shows the complete file, Enter the structure, n and p go to the next and previous finding.'),
    element('div', { class: 'controls' },
      button('Zoom in', () => zoom(1 / 2)), button('Zoom out', () => zoom(2)), button('Complete file', () => zoomTo(0, map.size)),
      button('Previous', () => step(-1), { 'aria-label': 'Previous structure' }), button('Next', () => step(1), { 'aria-label': 'Next structure' }),
      marks.length > 0 && button('Next finding', () => toNextFinding(1)),
      element('label', { for: 'go-to' }, 'Byte '), goTo, button('Go', go, { 'aria-label': 'Go to the byte' })),
    range, holder, legend, about);
  if (!map.whole) view.append(element('p', { class: 'hint' }, 'There are so many structures that some are drawn together; ', element('code', {}, 'parqproof layout FILE'), ' lists them all.'));
  for (const [offset, length, first, second] of map.overlaps) {
    view.append(element('p', { class: 'warn' }, `${counted(length, 'byte')} at byte ${offsetText(offset)} belong to two structures: ${HEAD.kinds[first]} and ${HEAD.kinds[second]}.`));
  }
  for (const [offset, what, rowGroup, leaf] of map.unread) {
    const place = placeText({ rowGroup, leaf, page: -1 }, { [leaf]: columnName(leaf) });
    view.append(element('p', { class: 'warn' }, `Cannot be read at byte ${offsetText(offset)}: ${what}${place && ` (${place})`}`));
  }
  about.append(element('p', { class: 'hint' }, 'No structure is selected.'));
  draw();
  return { view, zoomTo, show: (offset) => select(itemAt(items, Math.min(offset, Math.max(0, map.size - 1)))) };
}
