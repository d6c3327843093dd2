import type { ReactNode } from 'react';

/** Section of a page with a large title. `isJoined` means that another section follows closely. */
export function Band({
  title,
  isJoined = false,
  children,
}: {
  title: string;
  isJoined?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={isJoined ? 'band joined' : 'band'}>
      <div className="wrapx">
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}
