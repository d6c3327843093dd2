import type { ApiTokenAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { dayWithYear } from '../../ui/dates';
import { Instant } from '../../ui/instant';

const Column = DataTable.Col<ApiTokenAnswer>;

/** API tokens, each with a button to revoke it. */
export function TokenTable({
  rows,
  onRevoke,
}: {
  rows: readonly ApiTokenAnswer[];
  onRevoke: (token: ApiTokenAnswer) => void;
}) {
  const t = useText();
  return (
    <DataTable<ApiTokenAnswer> label={t('account.tokens.title')} rows={rows}>
      <Column label={t('account.tokens.label')} render={({ label }) => <b className="anywhere">{label}</b>} />
      <Column label={t('account.tokens.scope')} render={({ scope }) => t(`account.tokens.${scope}`)} />
      <Column label={t('account.tokens.created')} render={({ created_at: at }) => dayWithYear(at)} />
      <Column
        label={t('account.tokens.expires')}
        render={({ expires_at: at }) => (at === null ? t('account.never') : dayWithYear(at))}
      />
      <Column
        label={t('account.tokens.last_used')}
        render={({ last_used_at: at }) => (at === null ? t('account.never') : <Instant iso={at} />)}
      />
      <Column
        align="right"
        label={<span className="vh">{t('account.tokens.revoke')}</span>}
        render={(token) => (
          <Button
            size="small"
            aria-label={t('account.tokens.revoke_what', { label: token.label })}
            onClick={() => onRevoke(token)}
          >
            {t('account.tokens.revoke')}
          </Button>
        )}
      />
    </DataTable>
  );
}
