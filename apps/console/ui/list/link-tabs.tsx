import type { ComponentProps } from 'react';
import { NavLink } from 'react-router-dom';
import { TabLabel } from './filter-tabs';

/** Links to related lists, in the look of tabs. */
export function LinkTabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly (ComponentProps<typeof TabLabel> & { readonly to: string })[];
}) {
  return (
    <nav className="seg" aria-label={label}>
      {tabs.map(({ to, ...tab }) => (
        <NavLink key={to} to={to} end>
          <TabLabel {...tab} />
        </NavLink>
      ))}
    </nav>
  );
}
