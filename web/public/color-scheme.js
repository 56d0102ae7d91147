// Runs before the first paint so that a dark page does not flash white. A file, because the CSP forbids inline scripts.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('color-scheme');
  } catch {
    // Storage may be off; the system setting is used.
  }
  var auto = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  var scheme = stored === 'light' || stored === 'dark' ? stored : auto;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
