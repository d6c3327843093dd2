import type { SignInRecord } from '@moorage/contracts';
import { TriangleAlert } from 'lucide-react';
import { useDevice } from '../../parts/device';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { Instant } from '../../ui/instant';
import './sign-in-table.css';

const Column = DataTable.Col<SignInRecord>;

/** Login history, with rejected codes marked. */
export function SignInTable({ rows }: { rows: readonly SignInRecord[] }) {
  const t = useText();
  const deviceOf = useDevice();
  return (
    <div className="sign-ins" tabIndex={0} role="group" aria-label={t('account.sessions.history')}>
      <DataTable<SignInRecord> label={t('account.sessions.history')} rows={rows}>
        <Column label={t('account.sessions.when')} render={({ at }) => <Instant iso={at} />} />
        <Column label={t('account.sessions.how')} render={({ kind }) => <SignInKind kind={kind} />} />
        <Column label={t('account.sessions.device')} render={deviceOf} />
        <Column
          label={t('account.sessions.address')}
          render={({ ip_address: address }) => address ?? t('layout.not_available')}
        />
      </DataTable>
    </div>
  );
}

function SignInKind({ kind }: Pick<SignInRecord, 'kind'>) {
  const t = useText();
  const text = t(`account.sessions.kind.${kind}`);
  return kind === 'code_refused' ? (
    <span className="tag port">
      <TriangleAlert size={12} aria-hidden="true" />
      {text}
    </span>
  ) : (
    text
  );
}
