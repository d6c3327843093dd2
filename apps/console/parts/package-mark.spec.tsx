import { describe, expect, it } from '@jest/globals';
import { render } from '@testing-library/react';
import { packageOf } from '../testing/packages';
import { PackageMark } from './package-mark';
import { markIn } from '../data/package-marks';

describe('package icon', () => {
  const packages = [packageOf('harbour', 'Harbour', { mark: [{ d: 'M3 3h18v3H3z', fill: true }] })];

  it('is drawn from the manifest in the surrounding colour', () => {
    render(
      <PackageMark
        mark={[
          { d: 'M4 4h16', stroke: 3 },
          { d: 'M9 9h6v6H9z', fill: true },
        ]}
      />,
    );
    const [line, shape] = document.querySelectorAll('path');
    expect(line).toHaveAttribute('stroke-width', '3');
    expect(line).toHaveAttribute('stroke', 'currentColor');
    expect(line).toHaveAttribute('fill', 'none');
    expect(shape).not.toHaveAttribute('stroke');
    expect(shape).toHaveAttribute('fill', 'currentColor');
  });

  it('is found by key, has a default for unlisted packages, and is empty until the list has loaded', () => {
    expect(markIn(packages, 'harbour')).toEqual([{ d: 'M3 3h18v3H3z', fill: true }]);
    expect(markIn(packages, 'gone')).toEqual(markIn(packages, null));
    expect(markIn(packages, 'gone')).not.toEqual([]);
    expect(markIn(undefined, 'harbour')).toEqual([]);
  });
});
