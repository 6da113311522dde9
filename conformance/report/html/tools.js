'use strict';
// Elements, numbers and names, for all parts of the page.
//
// Names, paths and values come from untrusted files. They become text of elements, never markup: nothing on
// this page sets innerHTML.

/** The JSON in the page with this id; null if it was left out. */
function stored(id) {
  const script = document.getElementById(id);
  return script && JSON.parse(script.textContent);
}

const HEAD = stored('head');
const SEVERITIES = ['error', 'warning', 'info'];

/**
 * An element with attributes and children. Functions are listeners for the event of their name; true and false set and
 * omit an attribute, except for aria-*, where they are values. Children are elements or text; null and false are left
 * out.
 */
function element(tag, attributes = {}, ...children) {
  const svg = ['svg', 'rect', 'title'].includes(tag);
  const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (name.startsWith('aria-') && value !== null) node.setAttribute(name, value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return node;
}

function button(text, click, attributes = {}) {
  return element('button', { type: 'button', click, ...attributes }, text);
}

/** Buttons of which one is pressed. `choices`: [value, text]; `choose(value)` is called at each click. */
function choice(label, choices, chosen, choose) {
  const buttons = choices.map(([value, text]) => button(text, () => {
    for (const one of buttons) one.setAttribute('aria-pressed', one === buttons[choices.findIndex(([v]) => v === value)]);
    choose(value);
  }, { 'aria-pressed': value === chosen }));
  return element('div', { class: 'choice', role: 'group', 'aria-label': label }, element('span', {}, label), buttons);
}

/** A table with a caption for screen readers. `heads`: texts or elements; `rows`: lists of cells. */
function table(caption, heads, rows, attributes = {}) {
  const cell = (content) => element('td', typeof content === 'number' ? { class: 'number' } : {},
    typeof content === 'number' ? number(content) : content);
  return element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    element('table', attributes,
      element('caption', { class: 'unseen' }, caption),
      element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, rows.map((row) => element('tr', {}, row.map((content) => content instanceof HTMLTableCellElement ? content : cell(content)))))));
}

/** Adds the first of many rows, and a button for more. `make(item)` returns a row of the table body. */
function addRows(body, items, make, step, label) {
  let shown = 0;
  const more = button('', () => add());
  const holder = element('p', { class: 'more' }, more);
  function add() {
    const first = shown;
    shown = Math.min(items.length, shown + step);
    body.append(...items.slice(first, shown).map(make));
    holder.hidden = shown === items.length;
    more.textContent = `Show ${number(Math.min(step, items.length - shown))} more ${label}, of ${number(items.length - shown)}`;
  }
  add();
  return holder;
}

/** A list of terms with their content; pairs without content are left out. */
function facts(pairs) {
  return element('dl', { class: 'facts' }, pairs.filter(([, content]) => content !== null && content !== '' && content !== undefined)
    .map(([term, content]) => element('div', {}, element('dt', {}, term), element('dd', {}, content))));
}

function badge(text) {
  return element('span', { class: `badge ${text}` }, text);
}

function number(value) {
  return value.toLocaleString('en');
}

function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A readable size: "1.5 MB". */
function size(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (Math.abs(bytes) >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    ++unit;
  }
  return `${unit === 0 || bytes >= 100 ? Math.round(bytes) : bytes.toFixed(1)} ${units[unit]}`;
}

function offsetText(offset) {
  return `${number(offset)} (0x${offset.toString(16)})`;
}

/** The text for an ordinal of HEAD.texts, or the text itself. */
function sharedText(text) {
  return typeof text === 'number' ? HEAD.texts[text] : text;
}

function enumText(names, value, what) {
  return names[value] ?? `${what} ${value}`;
}

/** Names of the encodings whose bits are set in the mask. */
function encodingNames(mask) {
  const names = [];
  for (let bit = 0; bit < 31; ++bit) if (mask & (1 << bit)) names.push(enumText(HEAD.encodings, bit, 'encoding'));
  if (mask < 0 || mask >= 2 ** 31) names.push('another');
  return names;
}

function severityCounts([errors, warnings, infos]) {
  return `${counted(errors, 'error')}, ${counted(warnings, 'warning')}${infos ? `, ${counted(infos, 'info')}` : ''}`;
}
