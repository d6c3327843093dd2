import { messageTable } from './message';

/** Messages about the fields of an account. */
export const ACCOUNT_MESSAGES = messageTable('account', {
  name_missing: 'Name is required',
  subject_missing: 'Subject is required',
  message_missing: 'Message is required',
  both_missing: 'Please fill in both fields',
  email_missing: 'Email is required',
  password_missing: 'Password is required',
  username_missing: 'Choose a username.',
  username_long: 'A username can have at most %{most} characters.',
  username_letters:
    'Start with a letter or a number. Use letters, numbers, single spaces, dots, hyphens and underscores.',
  username_deactivated: 'A username can\'t start with "deactivated_".',
  email_malformed: 'Enter an email address like name@example.com.',
  password_short: 'Password must be at least 6 characters long',
  password_long: 'Password must be at most 200 characters long',
  password_common: 'This password is too common. Please choose another.',
  password_personal: "Don't use your username, your email address or the name %{brand} as your password.",
  passwords_differ: 'Passwords do not match',
  /** Shown by the login form before it sends a request (decisions 14). */
  login_password_short: 'Password must be longer than 6 characters',
  text_unprintable: 'Remove line breaks and invisible characters.',
});
