import { describe, expect, it } from '@jest/globals';
import { labelsOfTags, tagsOf } from './flat-tags';

const labels = {
  'managed-by': 'moorage',
  installation: '0123456789abcdef',
  deployment: 'fedcba9876543210',
} as const;

describe('flat tags', () => {
  it('hold our labels within the limits of every provider', () => {
    expect(tagsOf(labels)).toEqual(['moorage', 'moorage-i-0123456789abcdef', 'moorage-dep-fedcba9876543210']);
    expect(labelsOfTags(tagsOf(labels))).toEqual(labels);
    for (const tag of tagsOf(labels)) expect(tag).toMatch(/^[a-z0-9-]{3,50}$/);
  });

  it.each([
    [['web', 'moorage-other'], {}],
    [['moorage'], { 'managed-by': 'moorage' }],
    [['web', 'moorage-i-a'], { installation: 'a' }],
  ])('are ours only with the whole prefix: %j', (tags, found) => {
    expect(labelsOfTags(tags)).toEqual(found);
  });
});
