// Sets what the first paint depends on: the theme, by the rule of ui/theme-choice.ts, and the side of the page, by the
// paths of data/addresses.ts. Specs compare both.
(function () {
  var choice = 'light';
  try {
    choice = localStorage.getItem('theme') || 'light';
  } catch {
    // Storage is disabled, so the default applies.
  }
  var dark = choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light');
  var path = location.pathname.replace(/\/+$/, '') || '/';
  var isPublic =
    /^\/(pricing|login|signup|forgot-password|reset-password|verify-email|conversation|unsubscribe|account-deactivated|success|cancel)?$/.test(
      path,
    );
  document.body.classList.toggle('pub', isPublic);
})();
