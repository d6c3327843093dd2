import { createContext, type ReactNode, type Ref, useContext, useId } from 'react';
import './section.css';

const IsCard = createContext(false);

/** Shows the sections below as cards of a page instead of sections of the panel. */
export function Cards({ children }: { children: ReactNode }) {
  return <IsCard value={true}>{children}</IsCard>;
}

/** Shows the sections below without cards, because a card surrounds them. */
export function Plain({ children }: { children: ReactNode }) {
  return <IsCard value={false}>{children}</IsCard>;
}

/** Returns whether sections are cards here. */
export const useIsCard = (): boolean => useContext(IsCard);

/** Section of a deployment's details: a card on its page, and plain in the dashboard's panel. */
export function Section({
  id,
  className = '',
  title,
  note = null,
  aside = null,
  heading,
  isPadded = true,
  children,
}: {
  id?: string;
  className?: string;
  title: string;
  /** Small text next to the title. */
  note?: ReactNode;
  /** Button next to the title. */
  aside?: ReactNode;
  /** Set if the heading can take the focus. */
  heading?: Ref<HTMLHeadingElement>;
  /** False if the content reaches the edges of the card. */
  isPadded?: boolean;
  children?: ReactNode;
}) {
  const isCard = useIsCard();
  const titleId = useId();
  const focusable = heading === undefined ? {} : { ref: heading, tabIndex: -1 };
  if (isCard)
    return (
      <section id={id} className={`card ${className}`.trim()} aria-labelledby={titleId}>
        <header>
          <h2 id={titleId} {...focusable}>
            {title}
          </h2>
          {note === null ? null : <span className="small muted">{note}</span>}
          {aside}
        </header>
        {isPadded ? <div className="pad">{children}</div> : children}
      </section>
    );
  return (
    <section id={id} className={`sec ${className}`.trim()}>
      <h3 {...focusable}>
        {title}
        {note === null && aside === null ? null : <span className="grow">{note}</span>}
        {aside}
      </h3>
      {children}
    </section>
  );
}
