import type { ReactNode } from 'react';
import { useShowContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { isMissing } from '../data/errors';
import { useText } from '../texts/console-i18n';
import { ErrorAlert } from './error-alert';
import { TwoFactorRequiredError } from './two-factor-required';

/** Page of a record with a back link, its facts, and an error state. */
export function RecordScreen({
  title,
  tags,
  back,
  failed,
  missing,
  actions,
  children,
}: {
  title: string | undefined;
  /** Tags below the title. */
  tags?: ReactNode;
  back: { readonly to: string; readonly label: string };
  failed: string;
  missing: string;
  actions: ReactNode;
  children: ReactNode;
}) {
  const { refetch, ...show } = useShowContext();
  const record = show.record as unknown;
  const error = show.error as unknown;
  const gone = isMissing(error);
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title wrap">
        <div className="grow">
          <h1>{title ?? (error ? missing : <span className="skel late" style={{ width: 220, height: 24 }} />)}</h1>
          {record === undefined ? null : tags}
          <p>
            <Link to={back.to}>{back.label}</Link>
          </p>
        </div>
        {record === undefined ? null : actions}
      </div>
      {error && !gone ? (
        <ErrorAlert text={<TwoFactorRequiredError error={error} failed={failed} />} onRetry={() => void refetch()} />
      ) : null}
      {record === undefined && !error ? (
        <div className="card pad late" aria-hidden="true">
          <span className="skel" style={{ width: 320 }} />
        </div>
      ) : (
        children
      )}
    </main>
  );
}

type Fact = readonly [label: string, value: ReactNode];

/** List of names and values. Empty values show a placeholder. */
export function Facts({ rows }: { rows: readonly (Fact | null)[] }) {
  const t = useText();
  return (
    <dl className="kv">
      {rows.flatMap((row) =>
        row === null
          ? []
          : [
              <dt key={row[0]}>{row[0]}</dt>,
              <dd key={`${row[0]} value`}>{row[1] ?? <span className="muted">{t('layout.none')}</span>}</dd>,
            ],
      )}
    </dl>
  );
}
