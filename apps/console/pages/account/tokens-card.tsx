import type { ApiTokenAnswer, RouteAnswer, TOKEN_DAYS, TOKEN_SCOPES, TokenScope } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../data/api';
import { useAccountRefresh, useApiTokens, useOwnUser } from '../../data/own-account';
import { LockedButton } from '../../parts/locked-button';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { CopyButton, CopyTextButton } from '../../ui/copy-button';
import { dayWithYear } from '../../ui/dates';
import { Field, FormError } from '../../ui/form/field';
import { useForm } from '../../ui/form/use-form';
import { SectionCard, Loaded } from '../../ui/card';
import { FormButtons } from '../../ui/form/form-buttons';
import { Instant } from '../../ui/instant';
import { RecordTable } from '../../ui/record-table';
import { RevokeToken } from './revoke-token';
import { SelectField } from '../../ui/form/select-field';
import { useReturnFocus } from '../../ui/use-return-focus';
import { Button } from '../../ui/button';

type CreatedToken = RouteAnswer<'POST /users/self/api-tokens'>;

/** Values repeated here with the contracts' types, because importing them would bundle their schemas. */
const DAYS: typeof TOKEN_DAYS = [7, 30, 90, 365];
const SCOPES: typeof TOKEN_SCOPES = ['read', 'write', 'admin'];

const PLACEHOLDER = '$MOORAGE_TOKEN';

/** Tokens for programs that call the API. */
export function TokensCard() {
  const t = useText();
  const tokens = useApiTokens();
  const isVerified = useOwnUser().data?.is_verified !== false;
  const [isMaking, setMaking] = useState(false);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const [revoked, setRevoked] = useState<ApiTokenAnswer | null>(null);
  const opener = useReturnFocus(isMaking || created !== null);
  return (
    <SectionCard
      id="tokens"
      title={t('account.tokens.title')}
      aside={
        <LockedButton
          ref={opener}
          size="small"
          aria-expanded={isMaking}
          reason={isVerified ? null : t('account.unverified')}
          onClick={() => setMaking(!isMaking)}
        >
          {t('account.tokens.create')}
        </LockedButton>
      }
    >
      <div className="pad inplace">
        {isMaking ? (
          <MakeForm
            onCreated={(token) => {
              setMaking(false);
              setCreated(token);
            }}
            onCancel={() => setMaking(false)}
          />
        ) : null}
        {created === null ? (
          <>
            <p className="soft">{t('account.tokens.lead')}</p>
            <CurlExample token={PLACEHOLDER} />
          </>
        ) : (
          <NewToken token={created} onDone={() => setCreated(null)} />
        )}
      </div>
      <Loaded query={tokens} failed={t('account.tokens.failed')}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="pad muted">{t('account.tokens.none')}</p>
          ) : (
            <TokenTable rows={rows} onRevoke={setRevoked} />
          )
        }
      </Loaded>
      <RevokeToken token={revoked} onClose={() => setRevoked(null)} />
    </SectionCard>
  );
}

function TokenTable({
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

function MakeForm({ onCreated, onCancel }: { onCreated: (token: CreatedToken) => void; onCancel: () => void }) {
  const t = useText();
  const p = usePublicText();
  const refresh = useAccountRefresh();
  const [scope, setScope] = useState<TokenScope>('read');
  const [days, setDays] = useState('90');
  const isAdmin = useOwnUser().data?.is_admin === true;
  const form = useForm({
    initial: { label: '' },
    checks: {
      label: ({ label }) => (label.trim() === '' ? p('form.required', { field: t('account.tokens.label') }) : null),
    },
    failed: 'form.failed',
    retryAt: 'label',
    async submit({ label }) {
      const expires = DAYS.find((each) => String(each) === days) ?? null;
      onCreated(
        await api('POST /users/self/api-tokens', { body: { label: label.trim(), scope, expires_in_days: expires } }),
      );
      void refresh('api-tokens');
      return null;
    },
  });
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      <FormError text={form.refusal} />
      <Field
        label={t('account.tokens.label')}
        autoComplete="off"
        hint={t('account.tokens.label_hint')}
        autoFocus
        field={form.field('label')}
      />
      <SelectField
        label={t('account.tokens.scope')}
        value={scope}
        onChange={(value) => setScope(SCOPES.find((each) => each === value) ?? 'read')}
      >
        {SCOPES.filter((each) => each !== 'admin' || isAdmin).map((each) => (
          <option key={each} value={each}>
            {t(`account.tokens.${each}`)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('account.tokens.expires')} value={days} onChange={setDays}>
        {DAYS.map((each) => (
          <option key={each} value={each}>
            {t('account.tokens.days', { smart_count: each })}
          </option>
        ))}
      </SelectField>
      <FormButtons
        label={t('account.tokens.create_submit')}
        busyLabel={t('account.tokens.creating')}
        busy={form.busy}
        onCancel={onCancel}
      />
    </form>
  );
}

/** Value of a new token, shown once. */
function NewToken({ token: { label, token }, onDone }: { token: CreatedToken; onDone: () => void }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="inplace">
      <h3 className="anywhere" ref={heading} tabIndex={-1}>
        {t('account.tokens.created_title', { label })}
      </h3>
      <p className="soft">{t('account.tokens.created_lead')}</p>
      <p>
        <span className="mono anywhere">{token}</span> <CopyButton value={token} what={t('account.tokens.value')} />
      </p>
      <CurlExample token={token} />
      <div>
        <Button kind="primary" onClick={onDone}>
          {t('account.tokens.done')}
        </Button>
      </div>
    </div>
  );
}

function CurlExample({ token }: { token: string }) {
  const t = useText();
  const command = `curl -H "Authorization: Bearer ${token}" ${location.origin}${CONSTANTS.apiBasePath}/deployments/`;
  return (
    <div className="code wrapit">
      <header>
        <span className="grow">{t('account.tokens.example')}</span>
        <CopyTextButton value={command} />
      </header>
      <pre tabIndex={0}>{command}</pre>
    </div>
  );
}
