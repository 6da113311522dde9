// The overview: verdicts, rules, and files with their filters.

/** The line of a file, as html_report.cpp writes it. */
function readLine(line) {
  const [ordinal, folder, name, verdict, counts, bytes, writer, rows, rowGroups, columns, pages, rules] = line;
  return {
    ordinal, name, counts, bytes, rows, rowGroups, columns, pages, rules,
    path: sharedText(folder) + name,
    verdict: HEAD.verdicts[verdict][0],
    writer: writer === null ? '' : sharedText(writer),
  };
}

/** The common folder of the paths, with its slash. */
function commonFolder(paths) {
  let common = paths[0] ?? '';
  for (const path of paths) while (!path.startsWith(common)) common = common.slice(0, -1);
  return common.slice(0, common.lastIndexOf('/') + 1);
}

const FILES = stored('files').map(readLine).sort((a, b) => a.ordinal - b.ordinal);
const FILE_BY_ORDINAL = new Map(FILES.map((file) => [file.ordinal, file]));
const FOLDER = commonFolder(FILES.map((file) => file.path));
const ROWS_AT_ONCE = 100;
const RULES_AT_ONCE = 5;

/** Selection and order of the files; kept while a single file is shown. */
const filter = { verdict: null, rule: null, writer: '', text: '', sort: 'worst', down: false };

function isShown(file) {
  if (filter.verdict !== null && file.verdict !== filter.verdict) return false;
  if (filter.rule !== null && !file.rules.includes(filter.rule)) return false;
  if (filter.writer !== '' && file.writer !== filter.writer) return false;
  if (filter.text === '') return true;
  const words = `${file.path} ${file.writer} ${file.verdict} ${file.rules.map((rule) => HEAD.rules[rule].id).join(' ')}`.toLowerCase();
  return filter.text.toLowerCase().split(/\s+/).every((word) => words.includes(word));
}

/** Number of files that break each rule of severity error. */
const FILES_OF_ERROR = new Map(HEAD.broken.filter(([, severity]) => severity === 0).map(([rule, , , files]) => [rule, files]));
const VERDICT_RANK = new Map(HEAD.verdicts.map(([verdict], i) => [verdict, i]));

/** The worst verdicts first; within a verdict, files with the rarest errors first. */
function worstFirst(file) {
  const rarest = Math.min(1e9, ...file.rules.filter((rule) => FILES_OF_ERROR.has(rule)).map((rule) => FILES_OF_ERROR.get(rule)));
  return (HEAD.verdicts.length - VERDICT_RANK.get(file.verdict)) * 1e10 + 2 * rarest + (file.counts[1] === 0);
}

const SORT_KEYS = {
  worst: worstFirst,
  path: (file) => file.path,
  verdict: (file) => file.verdict,
  rules: (file) => (file.rules.length === 0 ? '' : HEAD.rules[file.rules[0]].id),
  errors: (file) => file.counts[0],
  warnings: (file) => file.counts[1],
  size: (file) => file.bytes,
  rows: (file) => file.rows,
  writer: (file) => file.writer,
};

function shownFiles() {
  const key = SORT_KEYS[filter.sort];
  const files = FILES.filter(isShown).map((file) => [key(file), file])
    .sort(([a, one], [b, other]) => (a < b ? -1 : a > b ? 1 : one.ordinal - other.ordinal)).map(([, file]) => file);
  return filter.down ? files.reverse() : files;
}

function verdictTiles(refresh) {
  const tiles = HEAD.verdicts.filter(([, count]) => count > 0).reverse().map(([verdict, count]) => button([element('strong', {}, number(count)), ` ${verdict}`], () => {
    filter.verdict = filter.verdict === verdict ? null : verdict;
    refresh();
  }, { class: `tile ${verdict}`, 'data-verdict': verdict }));
  return element('div', { class: 'tiles', role: 'group', 'aria-label': 'Show files by verdict' }, tiles);
}

/**
 * Broken rules, each with a bar for the number of its findings. `rows`: {rule, severity, findings, files, writers};
 * files and writers are optional. `choose(rule)` is called with the ordinal of the clicked rule.
 */
function ruleBars(rows, choose) {
  const most = Math.max(...rows.map((row) => row.findings));
  const ofFiles = rows[0].files !== undefined;
  const make = ({ rule, severity, findings, files, writers }) => {
    const bar = element('span', { class: `bar ${SEVERITIES[severity]}` });
    bar.style.width = `${Math.max(1, 100 * findings / most)}%`;
    return element('tr', {},
      element('td', {}, badge(SEVERITIES[severity])),
      element('th', { scope: 'row' }, button(HEAD.rules[rule].id, () => choose(rule), { class: 'rule', 'data-rule': rule, title: HEAD.rules[rule].statement })),
      element('td', { class: 'number' }, number(findings)),
      element('td', { class: 'bars', 'aria-hidden': true }, bar),
      ofFiles && [element('td', { class: 'number' }, number(files)), element('td', {}, writers)]);
  };
  const body = element('tbody');
  const more = addRows(body, rows, make, RULES_AT_ONCE, 'rules');
  const heads = ['Severity', 'Rule', 'Findings', '', ...(ofFiles ? ['Files', 'Writers'] : [])];
  return [element('div', { class: 'scroll' }, element('table', { class: 'rules' },
    element('caption', { class: 'unseen' }, 'Broken rules, errors first, the most frequent first'),
    element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col', class: ['Findings', 'Files'].includes(head) ? 'number' : null, 'aria-hidden': head === '' ? true : null }, head)))), body)), more];
}

/** Marks the chosen rule below `view`. */
function pressRule(view, chosen) {
  for (const rule of view.querySelectorAll('[data-rule]')) rule.setAttribute('aria-pressed', Number(rule.dataset.rule) === chosen);
}

function brokenRules(refresh) {
  const rows = HEAD.broken.map(([rule, severity, findings, files, writers, moreWriters]) => {
    return { rule, severity, findings, files, writers: writers.join(', ') + (moreWriters > 0 ? ` and ${number(moreWriters)} more` : '') };
  });
  return element('section', { 'aria-labelledby': 'rules' },
    element('h2', { id: 'rules' }, 'Broken rules'),
    element('p', { class: 'hint' }, 'Choose a rule to see the files that break it.'),
    ruleBars(rows, (rule) => {
      filter.rule = filter.rule === rule ? null : rule;
      refresh();
    }));
}

/** The first, most severe rule that a file breaks, and the number of the others. */
function rulesText(rules) {
  if (rules.length === 0) return '';
  return element('span', { class: 'what' }, HEAD.rules[rules[0]].id, rules.length > 1 && ` and ${number(rules.length - 1)} more`);
}

function fileRow(file) {
  return element('tr', {},
    element('th', { scope: 'row' }, element('a', { href: `#file-${file.ordinal}` }, file.path.slice(FOLDER.length))),
    element('td', {}, badge(file.verdict)),
    element('td', {}, rulesText(file.rules)),
    ...[file.counts[0], file.counts[1]].map((count) => element('td', { class: 'number' }, number(count))),
    element('td', { class: 'number' }, file.bytes < 0 ? '' : size(file.bytes)),
    element('td', { class: 'number' }, file.rows < 0 ? '' : number(file.rows)),
    element('td', {}, file.writer));
}

function sortHead(key, text, refresh) {
  const head = element('th', { scope: 'col', class: ['errors', 'warnings', 'size', 'rows'].includes(key) ? 'number' : null });
  head.append(button(text, () => {
    filter.down = filter.sort === key && !filter.down;
    filter.sort = key;
    refresh();
  }));
  head.dataset.sort = key;
  return head;
}

function filters(refresh) {
  const text = element('input', { type: 'search', id: 'search', value: filter.text, placeholder: 'path, writer, rule, verdict',
    input: () => { filter.text = text.value.trim(); refresh(); } });
  const writers = [...new Set(FILES.map((file) => file.writer))].filter((writer) => writer !== '').sort();
  const writer = element('select', { id: 'writer', change: () => { filter.writer = writer.value; refresh(); } },
    element('option', { value: '' }, 'all writers'),
    writers.map((name) => element('option', { value: name, selected: name === filter.writer }, name)));
  const clear = button('Clear filters', () => {
    Object.assign(filter, { verdict: null, rule: null, writer: '', text: '' });
    text.value = writer.value = '';
    refresh();
  });
  return element('div', { class: 'controls', role: 'search' },
    element('label', { for: 'search' }, 'Search '), text,
    element('label', { for: 'writer' }, 'Writer '), writer, clear);
}

function changesTable() {
  if (HEAD.changes.length === 0) return null;
  return element('section', {}, element('h2', {}, 'Switched by options or configuration'),
    table('What was switched', ['By', 'What', 'Files', 'Writers', 'Reason'], HEAD.changes));
}

function overview() {
  const status = element('p', { role: 'status' });
  const holder = element('div');
  const heads = [['path', 'File'], ['verdict', 'Verdict'], ['rules', 'Rules'], ['errors', 'Errors'], ['warnings', 'Warnings'], ['size', 'Size'], ['rows', 'Rows'], ['writer', 'Writer']];
  const view = element('div');

  function refresh() {
    for (const tile of view.querySelectorAll('[data-verdict]')) tile.setAttribute('aria-pressed', tile.dataset.verdict === filter.verdict);
    pressRule(view, filter.rule);
    const files = shownFiles();
    const because = [filter.verdict, filter.rule === null ? null : `rule ${HEAD.rules[filter.rule].id}`, filter.writer, filter.text && `"${filter.text}"`].filter(Boolean);
    status.textContent = `${number(files.length)} of ${counted(FILES.length, 'file')}${because.length ? `: ${because.join(', ')}` : ''}`;
    const body = element('tbody');
    const more = addRows(body, files, fileRow, ROWS_AT_ONCE, 'files');
    const columns = heads.map(([key, text]) => sortHead(key, text, () => {
      refresh();
      holder.querySelector(`[data-sort="${key}"] button`).focus();
    }));
    for (const column of columns) if (column.dataset.sort === filter.sort) column.setAttribute('aria-sort', filter.down ? 'descending' : 'ascending');
    holder.replaceChildren(element('div', { class: 'scroll' }, element('table', { class: 'files' },
      element('caption', { class: 'unseen' }, 'Files'), element('thead', {}, element('tr', {}, columns)), body)), more);
  }

  view.append(
    element('h2', {}, 'Overview'),
    element('p', {}, `${counted(HEAD.files, 'file')}: ${severityCounts(HEAD.counts)}`,
      HEAD.fresh ? `. New since the baseline: ${severityCounts(HEAD.fresh)}; no longer found: ${number(HEAD.vanished)}` : ''),
    verdictTiles(refresh));
  if (HEAD.broken.length > 0) view.append(brokenRules(refresh));
  const changes = changesTable();
  if (changes) view.append(changes);
  if (HEAD.extent === 'files') {
    view.append(element('section', { 'aria-labelledby': 'files' }, element('h2', { id: 'files' }, 'Files'),
      FOLDER && element('p', { class: 'hint' }, 'In ', element('code', {}, FOLDER)), filters(refresh), status, holder));
    if (FILES.length < HEAD.files) {
      view.append(element('p', { class: 'hint' }, `${counted(HEAD.files - FILES.length, 'file')} more: there is no room for them in this page. ` +
        'The numbers above count them too.'));
    }
  }
  refresh();
  return view;
}
