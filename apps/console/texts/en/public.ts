/** What the public pages and the parts shared by both sides say. */
export const publicTexts = {
  waiting: 'Loading...',
  brand: { beta: 'Cloud Beta', skip: 'Skip to content' },
  nav: {
    dashboard: 'Dashboard',
    billing: 'Billing',
    pricing: 'Pricing',
    login: 'Login',
    signup: 'Sign Up',
    logout: 'Logout',
    menu: 'Open menu',
    main: 'Main',
  },
  theme: { label: 'Theme: %{choice}', light: 'Light', dark: 'Dark', system: 'System' },
  language: 'Language',
} as const;
