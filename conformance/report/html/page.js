// Shows the overview, or the file given by the fragment of the address.

const MAIN = document.getElementById('main');

function route(first = false) {
  const [, ordinal] = location.hash.match(/^#file-(\d+)$/) ?? [];
  const file = FILES.length === 1 ? FILES[0] : FILE_BY_ORDINAL.get(Number(ordinal));
  MAIN.replaceChildren(file ? fileView(file) : overview());
  document.title = file ? `${file.name}: ${file.verdict} - parqproof report` : 'parqproof report';
  if (first) return;
  window.scrollTo(0, 0);
  MAIN.focus({ preventScroll: true });
}

document.getElementById('about').textContent = `parqproof ${HEAD.version}, checked against parquet-format ${HEAD.spec.slice(0, 7)}`;
document.getElementById('skip').addEventListener('click', () => MAIN.focus());
window.addEventListener('hashchange', () => route());
window.addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});
route(true);
document.documentElement.dataset.ready = Math.round(performance.now());
