// Same rule as ui/theme.ts, before anything is painted.
(function () {
  var choice = 'light';
  try {
    choice = localStorage.getItem('theme') || 'light';
  } catch {
    // Storage is disabled, so the default applies.
  }
  var dark = choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light');
})();
