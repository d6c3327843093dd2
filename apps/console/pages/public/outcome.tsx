import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

/** Card with the result of an action. Its title takes the focus when it replaces a form. */
export function Outcome({
  icon: Icon,
  tone = 'good',
  title,
  children,
}: {
  icon: LucideIcon;
  tone?: 'good' | 'bad' | 'plain' | 'busy';
  title: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main className="auth">
      <div className="card outcome">
        <Icon size={40} strokeWidth={1.6} className={tone === 'busy' ? 'busy spin' : tone} aria-hidden="true" />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}
