// Runs before the first paint, so that a dark page does not flash white and screen readers know the language at once.
// A file, because the CSP forbids inline scripts.
(function () {
  var read = function (key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be off; the settings of the browser are used.
      return null;
    }
  };
  var page = document.documentElement;

  var scheme = read('color-scheme');
  var auto = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  page.setAttribute('data-mantine-color-scheme', scheme === 'light' || scheme === 'dark' ? scheme : auto);

  var languages = ['en', 'de'];
  var preferred = [read('language') || '', ...navigator.languages]
    .map((tag) => tag.split('-')[0].toLowerCase())
    .find((language) => languages.includes(language));
  page.setAttribute('lang', preferred || 'en');
  var manifest = document.querySelector('link[rel="manifest"]');
  if (preferred === 'de' && manifest) manifest.href = '/manifest.de.webmanifest';
})();
