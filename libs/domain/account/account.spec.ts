import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkEmail, EMAIL_MALFORMED, normaliseEmail } from './email';
import { isMailed, MAIL_KIND_NAMES } from './mail-kinds';
import { readTypedCode, spelledRecoveryCode } from './otp';
import { checkGuessable, checkLoginPassword, checkNewPassword, passwordStrength } from './password';
import { deactivatedUsername, isDeactivatedUsername, reactivatedUsername } from './deactivated-username';
import { checkUsername, usernameOf } from './username';
import { refusalToImpersonate } from './impersonation';

describe('username', () => {
  it.each([
    'jane',
    'Jane Doe',
    'j',
    'jörg',
    'Łukasz',
    '山田',
    'o.brien-2_x',
    'deactivator',
    'undeactivated_1',
    '4ever',
    'علی\u200cرضا',
    'क्\u200dष',
  ])('%s is accepted', (name) => {
    expect(checkUsername(name)).toBeNull();
  });

  it.each([
    ['', 'Choose'],
    ['   ', 'Choose'],
    ['a'.repeat(41), 'at most 40'],
    ['jane\n', 'Start with'],
    ['jane\u0000', 'Start with'],
    ['jane\u202egnp', 'Start with'],
    ['ja\u200bne', 'Start with'],
    ['ja\u200dne', 'Start with'],
    ['jane\u200e', 'Start with'],
    ['jane ', 'Start with'],
    ['ja  ne', 'Start with'],
    ['-jane', 'Start with'],
    ['<script>', 'Start with'],
    ['jane@example.com', 'Start with'],
    ['$(reboot)', 'Start with'],
    ['a: b', 'Start with'],
  ])('%j is rejected', (name, words) => {
    expect(checkUsername(name)?.detail).toContain(words);
  });

  it.each([
    ['joiners within Persian words', 'علی\u200cرضا', 'علی\u200cرضا'],
    ['joiners within Hindi words', 'क्\u200dष', 'क्\u200dष'],
    ['no joiner that would create a second jane', 'ja\u200cn\u200de', 'jane'],
    ['no joiner at the end', 'علی\u200c', 'علی'],
    ['no pasted zero-width space', '\ufeffja\u200bne', 'jane'],
    ['no direction mark', '\u200fדנה\u200e', 'דנה'],
    ['composed letters', ' jose\u0301 ', 'josé'],
    ['right-to-left text unchanged', 'a\u202eb', 'a\u202eb'],
  ])('is stored with %s', (_, typed, stored) => {
    expect(usernameOf(typed)).toBe(stored);
  });

  it.each([
    'deactivated_1_jane',
    'Deactivated_1',
    'DEACTIVATED_',
    'deactivated_',
    'deactivated-1',
    'deactivated.1',
    'deactivated 1',
    'dеactivated_1', // Cyrillic е
    'deаctivated_1', // Cyrillic а
    'deaсtivated_1', // Cyrillic с
    'deact\u0456vated_1', // Cyrillic і
    'deact1vated_1',
    'd3activated_1',
    'deactlvated_1',
    'ｄｅａｃｔｉｖａｔｅｄ＿1',
    'déactivated_1',
    'de\u0301activated_1',
    'deactivatеԁ_1',
    'deac7iva7ed_1',
    'deactı\u0307vated_1',
    '𝐝eactivated_1',
  ])('%s resembles a deactivated account and is rejected', (name) => {
    expect(checkUsername(name)).not.toBeNull();
  });

  it('reveals a deactivated account', () => {
    expect(deactivatedUsername(7, 'jane')).toBe('deactivated_7_jane');
    expect(isDeactivatedUsername('deactivated_7_jane')).toBe(true);
    expect(isDeactivatedUsername('jane')).toBe(false);
  });

  it.each([
    [7, 'deactivated_7_jane', 'jane'],
    [7, 'deactivated_7_a_b', 'a_b'],
    [7, 'jane', 'jane'],
    // Belongs to another account.
    [7, 'deactivated_77_jane', 'deactivated_77_jane'],
  ])('of account %i, %s, is restored to %s', (id, stored, name) => {
    expect(reactivatedUsername(id, stored)).toBe(name);
  });

  it('is never that of a deactivated account if accepted', () => {
    fc.assert(fc.property(fc.string(), (name) => checkUsername(name) !== null || !isDeactivatedUsername(name)));
    fc.assert(fc.property(fc.string(), (rest) => checkUsername(`deactivated_${rest}`) !== null));
  });
});

describe('email', () => {
  it.each([
    'jane@example.com',
    "o'brien+x@example.co.uk",
    'ADMIN@moorage.localhost',
    'a@b.co',
    'a_b-c@x-y.example',
    'user@münchen.de',
  ])('%s is accepted', (email) => {
    expect(checkEmail(email)).toBeNull();
  });

  it.each([
    '',
    'jane',
    'jane@',
    '@example.com',
    'jane@example',
    'jane@@example.com',
    'jane@exa mple.com',
    'ja ne@example.com',
    'jane@example.com\n',
    'jane\r\nBcc: all@example.com@example.com',
    'jane@-example.com',
    'jane@example..com',
    'jane.@example.com',
    '.jane@example.com',
    'ja..ne@example.com',
    '"jane doe"@example.com',
    'jane@[127.0.0.1]',
    'jane@127.0.0.1',
    'jane@example.com,all@example.com',
    '<jane@example.com>',
    'jäne@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.com`,
  ])('%j is rejected', (email) => {
    expect(checkEmail(email)).toBe(EMAIL_MALFORMED);
  });

  it('has one normal form per mailbox for known hosts', () => {
    expect(normaliseEmail('J.a.n.e+offers@GoogleMail.com')).toBe('jane@gmail.com');
    expect(normaliseEmail('jane+1@outlook.com')).toBe('jane@outlook.com');
    expect(normaliseEmail('J.ane+1@example.com')).toBe('j.ane+1@example.com');
  });
});

describe('password', () => {
  it.each([
    ['12345', undefined, 'Password must be at least 6 characters long'],
    ['123456', undefined, null],
    ['123456', '123457', 'Passwords do not match'],
    ['123456', '123456', null],
    ['ñañaña', undefined, null],
    ['a'.repeat(200), undefined, null],
    ['a'.repeat(201), undefined, 'Password must be at most 200 characters long'],
  ])('%s (repeated %s): %s', (password, confirmation, sentence) => {
    expect(checkNewPassword(password, confirmation)?.detail ?? null).toBe(sentence);
  });

  it.each([
    ['dragon', 'This password is too common. Please choose another.'],
    ['DRAGON', 'This password is too common. Please choose another.'],
    ['Ada.Lovelace', "Don't use your username, your email address or the name Moorage as your password."],
    ['ada@example.com', "Don't use your username, your email address or the name Moorage as your password."],
    ['ADA', "Don't use your username, your email address or the name Moorage as your password."],
    ['moorage', "Don't use your username, your email address or the name Moorage as your password."],
    ['dragon-of-ada', null],
  ])('%s as the password of Ada: %s', (password, sentence) => {
    const ada = { username: 'ada.lovelace', email: 'Ada@example.com' };
    const common = new Set(['dragon']);
    expect(checkGuessable(password, { ...ada, brand: 'Moorage', common })?.detail ?? null).toBe(sentence);
  });

  it('is rejected by the login form only if it can never match', () => {
    expect(checkLoginPassword('12345')?.detail).toBe('Password must be longer than 6 characters');
    expect(checkLoginPassword('123456')).toBeNull();
  });

  it('strength rises with length and variety', () => {
    expect(['12345', 'aaaaaaaa', 'abcdef', 'abcdef12', 'Abcdef12!?', 'Abcdef12!?xy'].map(passwordStrength)).toEqual([
      0, 0, 1, 2, 3, 4,
    ]);
  });
});

describe('typed code', () => {
  it.each([
    ['123456', { kind: 'otp', code: '123456' }],
    [' 123 456 ', { kind: 'otp', code: '123456' }],
    ['abcd-EFGH-2345-6789', { kind: 'recovery', code: 'abcdefgh23456789' }],
    ['1234567812345678', { kind: 'recovery', code: '1234567812345678' }],
    ['12345', null],
    ['１２３４５６', null],
    ['', null],
    ['abcd-efgh', null],
  ])('%j', (text, read) => {
    expect(readTypedCode(text)).toEqual(read);
  });

  it('is displayed in groups and parsed back', () => {
    expect(readTypedCode(spelledRecoveryCode('abcdefgh23456789'))?.code).toBe('abcdefgh23456789');
  });
});

describe('email kinds', () => {
  it('can be muted by the recipient except for security and billing', () => {
    const muted = ['security', 'money', 'deployment_ready'];
    expect(MAIL_KIND_NAMES.filter((kind) => !isMailed(kind, muted))).toEqual(['deployment_ready']);
  });
});

describe('impersonation of an account by an administrator', () => {
  const user = { isSelf: false, isAdmin: false, isDeactivated: false };

  it.each([
    [{}, undefined],
    [{ isDeactivated: true }, 'users.view_deactivated'],
    [{ isAdmin: true }, 'users.view_administrator'],
    [{ isAdmin: true, isDeactivated: true }, 'users.view_administrator'],
    [{ isSelf: true, isAdmin: true }, 'users.view_self'],
  ])('%j: %s', (state, refusal) => {
    expect(refusalToImpersonate({ ...user, ...state })?.code).toBe(refusal);
  });
});
