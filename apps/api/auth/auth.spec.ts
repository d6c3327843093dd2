import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness } from '../http/testing';

describe('accounts over HTTP', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await apiHarness();
  });
  afterAll(() => api.close());

  it('signs up, gets the mail, verifies, and sees itself', async () => {
    const jane = await api.unverified('jane');
    const before = await api.http.get('/api/auth/me').set(jane.auth);
    expect(before.body).toMatchObject({
      id: jane.id,
      username: 'jane',
      is_verified: false,
      is_admin: false,
      balance: 0,
    });
    const token = await api.linkToken(jane.email, 'verify-email');
    expect((await api.http.get('/api/auth/verify-email').query({ token })).body).toEqual({
      message: 'Email verified successfully',
    });
    const after = await api.http.get('/api/users/me/').set(jane.auth);
    expect(after.body).toMatchObject({ is_verified: true });
  });
});
