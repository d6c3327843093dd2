// Sets the theme before the first paint, by the rule of ui/theme-choice.ts. A spec compares both.
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
