import type { ApiTokenAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { dayWithYear } from '../../ui/dates';
import { Instant } from '../../ui/instant';
import { RecordTable } from '../../ui/record-table';

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
    <RecordTable
      label={t('account.tokens.title')}
      rows={rows}
      columns={[
        { label: t('account.tokens.label'), render: ({ label }) => <b className="anywhere">{label}</b> },
        { label: t('account.tokens.scope'), render: ({ scope }) => t(`account.tokens.${scope}`) },
        { label: t('account.tokens.created'), render: ({ created_at: at }) => dayWithYear(at) },
        {
          label: t('account.tokens.expires'),
          render: ({ expires_at: at }) => (at === null ? t('account.never') : dayWithYear(at)),
        },
        {
          label: t('account.tokens.last_used'),
          render: ({ last_used_at: at }) => (at === null ? t('account.never') : <Instant iso={at} />),
        },
      ]}
      action={{
        label: t('account.tokens.revoke'),
        render: (token) => (
          <Button
            size="small"
            aria-label={t('account.tokens.revoke_what', { label: token.label })}
            onClick={() => onRevoke(token)}
          >
            {t('account.tokens.revoke')}
          </Button>
        ),
      }}
    />
  );
}
