import type { SimulatedServerTexts, TestCheckoutTexts } from '../page-texts';

export const simulatedServer: SimulatedServerTexts = {
  title: 'This is a simulated server',
  nothing_real: 'No real server runs at %{host}, and nothing was rented.',
  here: '%{name} would open here.',
  as_user: 'You would log in as %{user}, with the password in your deployment\'s details under "Login".',
  as_owner: 'You would log in with the username and the password in your deployment\'s details under "Login".',
  unknown_title: 'No simulated server found',
  unknown: 'It may not be ready yet, it may have been deleted, or the name may be wrong.',
  away_title: "This page can't be shown right now",
  away: 'Try again in a moment.',
  link: 'Go to your deployments',
};

export const testCheckout: TestCheckoutTexts = {
  title: '%{brand}: test checkout',
  mode: 'Test mode',
  heading: 'Test checkout',
  asks: 'This installation takes no real money. %{brand} asks for %{amount}.',
  pay: 'Pay %{amount}',
  cancel: 'Cancel',
  keeps: 'Card for automatic top-ups',
  succeeds: ['Visa 4242', 'Automatic top-ups succeed.'],
  declines: ['Visa 0341', 'Automatic top-ups are declined.'],
  authentication: ['Visa 3184', 'Automatic top-ups require authentication.'],
  over: 'This checkout is over.',
  back: 'Back to billing',
};
