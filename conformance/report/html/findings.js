// The findings of one file: each cause with its places, and the bytes at fault.

/** A place, as html_file.cpp writes it. */
function readPlace([rowGroup, column, page, offset, length, pageOffset, times, known, found, expected]) {
  return {
    rowGroup, page, offset, length, times, found, expected,
    leaf: typeof column === 'number' ? column : -1,
    column: typeof column === 'string' ? column : null,
    inPage: pageOffset >= 0,
    inFile: pageOffset >= 0 ? pageOffset : offset,
    state: known < 0 ? '' : known ? 'known' : 'new',
  };
}

function placeText(place, names) {
  const parts = [];
  if (place.rowGroup >= 0) parts.push(`row group ${place.rowGroup}`);
  if (place.leaf >= 0) parts.push(`column ${names[place.leaf] ?? ''} (leaf ${place.leaf})`);
  else if (place.column) parts.push(`column ${place.column}`);
  if (place.page >= 0) parts.push(`page ${place.page}`);
  return parts.join(', ');
}

function bytesText(place) {
  const where = place.inPage ? `byte ${offsetText(place.offset)} of the uncompressed page, whose header is at byte ${offsetText(place.inFile)}`
    : `byte ${offsetText(place.offset)}`;
  return place.length ? `${where}, ${counted(place.length, 'byte')}` : where;
}

/** The hex digits of a run, with a mark for those at fault and dots for bytes that are not shown. */
function hexCell(place, offset, length, from, hex) {
  const bytes = hex.match(/../g) ?? [];
  const end = place.offset + Math.max(place.length, 1);
  const part = (first, last) => bytes.slice(Math.max(0, first), Math.max(0, last)).join(' ');
  const start = offset + from;
  const before = part(0, place.offset - start);
  const fault = part(place.offset - start, end - start);
  const after = part(end - start, bytes.length);
  return element('td', { class: 'hex' }, from > 0 && '\u2026 ', before && `${before} `, fault && element('mark', {}, fault), after && ` ${after}`, from + bytes.length < length && ' \u2026');
}

/** The bytes at fault with their neighbours: each run with its meaning. */
function bytesTable(place, { kind, runs }) {
  if (runs.length === 0) {
    return element('p', { class: 'hint' }, place.inPage ? 'The page cannot be decompressed, so its bytes are not shown.' : 'There are no such bytes in the file.');
  }
  const end = place.offset + Math.max(place.length, 1);
  const rows = runs.map(([offset, length, depth, name, value, from, hex]) => {
    const atFault = length > 0 && place.offset < offset + length && offset < end;
    const what = element('td', { class: 'what' }, name, value && element('span', { class: 'value' }, `: ${value}`));
    what.style.paddingInlineStart = `${0.5 + depth}em`;
    const cut = from > 0 || from + hex.length / 2 < length;
    return element('tr', { class: atFault ? 'fault' : null },
      element('th', { scope: 'row', class: 'number' }, length === 0 ? '' : number(offset + from), atFault && element('span', { class: 'unseen' }, ' at fault')),
      hexCell(place, offset, length, from, hex),
      element('td', { class: 'number' }, length === 0 ? '' : cut ? `${hex.length / 2} of ${number(length)}` : number(length)),
      what);
  });
  const space = place.inPage ? 'Bytes of the uncompressed page' : `Bytes of the file, in: ${HEAD.kinds[kind]}`;
  return element('div', { class: 'scroll bytes', tabindex: 0, role: 'region', 'aria-label': space },
    element('table', {},
      element('caption', {}, space),
      element('thead', {}, element('tr', {}, ['At byte', 'Hex', 'Bytes', 'Meaning'].map((head) => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, rows)));
}

/** A folded part that is created when it is opened for the first time. */
function folded(summary, make, open = false) {
  const details = element('details', { open }, element('summary', {}, summary));
  let made = false;
  const fill = () => {
    if (!details.open || made) return;
    made = true;
    details.append(make());
  };
  details.addEventListener('toggle', fill);
  fill();
  return details;
}

const PLACES_AT_ONCE = 50;

/** All data of a file in the page. */
function loadFile(ordinal) {
  const report = stored(`file-${ordinal}`) ?? { causes: [], causes_in_all: 0, names: {}, unlisted: 0 };
  const more = stored(`places-${ordinal}`) ?? {};
  report.causes.forEach((cause, i) => {
    cause.info = HEAD.rules[cause.rule];
    cause.ordinal = i;
    cause.places = [...cause.places, ...(more[i] ?? [])].map(readPlace);
  });
  const first = stored(`bytes-${ordinal}`) ?? {};
  let others = null;
  report.bytes = (cause, place) => {
    const key = `${cause}.${place}`;
    if (key in first) return first[key];
    others ??= stored(`more-bytes-${ordinal}`) ?? {};
    return others[key] ?? null;
  };
  return report;
}

function bytesOf(report, cause, index) {
  const bytes = report.bytes(cause.ordinal, index);
  if (bytes) return bytesTable(cause.places[index], bytes);
  return element('p', { class: 'hint' }, 'These bytes were left out of this page to limit its size. ', element('code', {}, 'parqproof check --output html=report.html FILE'),
    ' makes a page for a single file.');
}

function placesTable(report, cause, showOnMap) {
  const body = element('tbody');
  const row = (place) => {
    const index = cause.places.indexOf(place);
    const holder = element('tr', { hidden: true }, element('td', { colspan: 6 }));
    const open = button('Bytes', () => {
      if (!holder.firstChild.hasChildNodes()) holder.firstChild.append(bytesOf(report, cause, index));
      holder.hidden = !holder.hidden;
      open.setAttribute('aria-expanded', !holder.hidden);
    }, { 'aria-expanded': 'false', 'aria-label': `Bytes at ${placeText(place, report.names)}` });
    const rows = element('tbody', {}, element('tr', {},
      element('th', { scope: 'row' }, placeText(place, report.names) || 'the file', place.state && ` (${place.state})`),
      element('td', {}, bytesText(place)),
      element('td', { class: 'text' }, place.found), element('td', { class: 'text' }, place.expected),
      element('td', { class: 'number' }, number(place.times)),
      element('td', {}, open, ' ', showOnMap && button('Map', () => showOnMap(place), { 'aria-label': `On the byte map: ${placeText(place, report.names)}` }))), holder);
    return rows;
  };
  const list = element('table', {}, element('caption', { class: 'unseen' }, `Places of ${cause.info.id}`),
    element('thead', {}, element('tr', {}, ['Place', 'Bytes', 'Found', 'Expected', 'Times', 'Show'].map((head) => element('th', { scope: 'col' }, head)))));
  const more = addRows(list, cause.places, row, PLACES_AT_ONCE, 'places');
  const unlisted = cause.findings - cause.places.length;
  return element('div', {}, element('div', { class: 'scroll' }, list), more,
    unlisted > 0 && element('p', { class: 'hint' }, `${counted(unlisted, 'place')} more: not listed (--limit 0 lists all), or left out of this page.`));
}

/** Ordinals as ranges: "0 to 3, 7". */
function rangesText(ordinals, inAll) {
  const ranges = [];
  for (const one of ordinals) {
    if (ranges.length && ranges.at(-1)[1] === one - 1) ranges.at(-1)[1] = one;
    else ranges.push([one, one]);
  }
  const text = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ');
  return text + (inAll > ordinals.length ? ` and ${number(inAll - ordinals.length)} more` : '');
}

function causeCard(report, cause, showOnMap, opened) {
  const first = cause.places[0];
  const single = cause.findings === 1;
  const id = `cause-${cause.ordinal}`;
  const columns = cause.columns.filter((name) => name !== '');
  const names = columns.join(', ') + (cause.columns_in_all > cause.columns.length ? ` and ${number(cause.columns_in_all - cause.columns.length)} more` : '');
  return element('article', { class: `cause ${SEVERITIES[cause.severity]}`, 'aria-labelledby': id },
    element('h4', { id, tabindex: -1 }, badge(SEVERITIES[cause.severity]), ` ${cause.info.id}`, first.state && single && ` (${first.state})`),
    element('p', { class: 'message' }, cause.message),
    facts([
      [single ? 'In' : 'First in', placeText(first, report.names)],
      ['At', bytesText(first)],
      ['Field', cause.field],
      ['Found', first.found], ['Expected', first.expected],
      ['Row groups', single ? null : rangesText(cause.row_groups, cause.row_groups_in_all)],
      ['Columns', single ? null : names],
      ['Places', single ? null : number(cause.findings) + (cause.times > cause.findings ? `, ${number(cause.times)} findings in all` : '')],
      ['Times', single && cause.times > 1 ? `${number(cause.times)}; the first is shown` : null],
    ]),
    cause.follows && element('p', { class: 'follows' }, element('strong', {}, 'Consequences: '), cause.follows),
    folded('The bytes and their meaning', () => bytesOf(report, cause, 0), opened),
    element('p', {}, element('strong', {}, 'Harm: '), cause.info.harm),
    element('p', {}, element('strong', {}, 'Fix: '), cause.info.fix),
    element('p', {}, element('strong', {}, 'Specification: '), cause.info.statement, ' ',
      element('a', { href: cause.info.url, rel: 'noreferrer' }, cause.info.clause)),
    (cause.bugs ?? []).map((bug) => element('p', {}, element('strong', {}, 'Known bug: '), bug)),
    !single && folded(`All ${number(cause.findings)} places`, () => placesTable(report, cause, showOnMap)),
    showOnMap && button('Show on the byte map', () => showOnMap(first), { class: 'control' }));
}

const CAUSES_AT_ONCE = 25;
const CAUSES_OPENED = 3;

/** All causes, with a filter. Those of `rule` come first. */
function findingsSection(report, rule, showOnMap) {
  const status = element('p', { role: 'status' });
  const holder = element('div');
  const chosen = { severity: -1, text: '', rule: null };
  const order = [...report.causes].sort((a, b) => (b.rule === rule) - (a.rule === rule));
  const bars = element('div');

  function refresh() {
    const causes = order.filter((cause) => (chosen.severity < 0 || cause.severity === chosen.severity) && (chosen.rule === null || cause.rule === chosen.rule) &&
      `${cause.info.id} ${cause.message} ${cause.field ?? ''} ${cause.columns.join(' ')}`.toLowerCase().includes(chosen.text));
    status.textContent = causes.length === report.causes_in_all ? '' : `${number(causes.length)} of ${counted(report.causes_in_all, 'cause')}`;
    const list = element('div');
    const more = addRows(list, causes, (cause) => causeCard(report, cause, showOnMap, causes.indexOf(cause) < CAUSES_OPENED), CAUSES_AT_ONCE, 'causes');
    holder.replaceChildren(list, more);
  }

  const rules = new Map();
  for (const cause of report.causes) {
    const row = rules.get(cause.rule) ?? { rule: cause.rule, severity: cause.severity, findings: 0 };
    rules.set(cause.rule, { ...row, findings: row.findings + cause.times });
  }
  if (rules.size > 5) {
    const rows = ruleBars([...rules.values()].sort((a, b) => a.severity - b.severity || b.findings - a.findings), (one) => {
      chosen.rule = chosen.rule === one ? null : one;
      pressRule(bars, chosen.rule);
      refresh();
    });
    bars.append(folded(`By rule: ${number(rules.size)}`, () => {
      const view = element('div', {}, rows);
      pressRule(view, chosen.rule);
      return view;
    }));
  }
  const text = element('input', { type: 'search', id: 'cause-search', placeholder: 'rule, column, field, words',
    input: () => { chosen.text = text.value.trim().toLowerCase(); refresh(); } });
  const present = SEVERITIES.map((name, i) => [i, name]).filter(([i]) => report.causes.some((cause) => cause.severity === i));
  const controls = report.causes.length > 1 && element('div', { class: 'controls' },
    present.length > 1 && choice('Severity', [[-1, 'all'], ...present], -1, (severity) => { chosen.severity = severity; refresh(); }),
    element('label', { for: 'cause-search' }, 'Search '), text);
  refresh();
  return element('section', { 'aria-labelledby': 'findings' },
    element('h3', { id: 'findings', tabindex: -1 }, 'Findings'), bars, controls, status, holder,
    report.unlisted > 0 && element('p', { class: 'hint' }, `${counted(report.unlisted, 'finding')} of these causes are counted, but their places are not listed; --limit 0 lists all.`));
}
