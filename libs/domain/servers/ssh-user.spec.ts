import { describe, expect, it } from '@jest/globals';
import { checkSshUser, checkSudoPassword } from './ssh-user';

describe('user on a customer’s server', () => {
  it.each(['root', 'deploy', '_svc', 'Ada.L-2', 'a'.repeat(32)])('may be %s', (user) => {
    expect(checkSshUser(user)).toBeNull();
  });

  it.each(['', '-n', '1st', 'a b', 'a;id', 'a$b', 'a/b', "a'b", 'ä', 'a\nb', 'a'.repeat(33)])('is never %j', (user) => {
    expect(checkSshUser(user)).not.toBeNull();
  });
});

describe('password for sudo', () => {
  it.each(['secret', ' with "quotes" $(and) \\', 'ü', 'a'.repeat(256)])('may be %j', (password) => {
    expect(checkSudoPassword(password)).toBeNull();
  });

  it.each(['', 'two\nlines', 'carriage\r', 'a\0b', 'a'.repeat(257)])('is never %j', (password) => {
    expect(checkSudoPassword(password)).not.toBeNull();
  });
});
