import { type ReactNode, useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import './newest-records.css';

const SHOWN = 10;

/** Newest ten rows of a list with a button to show all, or a placeholder if it is empty. */
export function Newest<Row>({
  rows,
  none,
  children,
}: {
  rows: readonly Row[];
  none: string;
  children: (shown: readonly Row[]) => ReactNode;
}) {
  const t = useText();
  const [all, setAll] = useState(false);
  if (rows.length === 0) return <p className="pad muted">{none}</p>;
  return (
    <>
      {children(all ? rows : rows.slice(0, SHOWN))}
      {rows.length > SHOWN ? (
        <p className="all-records">
          <Button kind="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('person.show_fewer') : t('person.show_all', { count: rows.length })}
          </Button>
        </p>
      ) : null}
    </>
  );
}
