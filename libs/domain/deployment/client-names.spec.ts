import { describe, expect, it } from '@jest/globals';
import { checkDeploymentName } from './client-names';

describe('deployment name', () => {
  it.each(['a', ' harbour lights ', 'Leuchtturm Süd 🚢', '=1+1 "Büro" <b>', '🚢'.repeat(60)])('may be %j', (name) => {
    expect(checkDeploymentName(name)).toBeNull();
  });

  it.each([
    ['', 'Use 1 to 60 characters.'],
    ['   ', 'Use 1 to 60 characters.'],
    ['n'.repeat(61), 'Use 1 to 60 characters.'],
    ['two\nlines', 'Remove line breaks and other invisible characters.'],
    ['turned\u202eround', 'Remove line breaks and other invisible characters.'],
  ])('may not be %j: %s', (name, detail) => {
    expect(checkDeploymentName(name)?.detail).toBe(detail);
  });
});
