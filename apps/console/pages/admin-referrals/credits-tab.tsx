import type { AdminCreditAnswer, AdminCreditSort } from '@moorage/contracts';
import { CREDITS_MESSAGES } from '@moorage/domain';
import { X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { SelectField } from '../../ui/form/select-field';
import { RecordTable, type Sorting } from '../../ui/record-table';
import { useAdjustCredit, useAdminCredits } from '../../data/admin-referrals';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { creditStatus } from '../../parts/credit-status';
import { exactMoney, money, offeredMoney } from '../../ui/money';
import { refusalOf } from '../../data/problem-message';
import { On, UserReference } from '../../parts/user-reference';
import { PageSummary } from '../../ui/list/page-summary';
import { useListAddress } from '../../ui/list/list-address';
import { Button } from '../../ui/button';

const SORTS: readonly [AdminCreditSort, ...AdminCreditSort[]] = ['created_at', 'user_email', 'amount', 'ip_address'];
const SORT_LABELS = { created_at: 'date', user_email: 'user', amount: 'amount', ip_address: 'ip_address' } as const;
const FILTERS = ['network', 'mail_domain'] as const;

/** All credits, listed as specified. */
export function CreditsTab() {
  const t = useText();
  const address = useListAddress();
  const sortBy = address.oneOf('sort_by', SORTS);
  const order = address.oneOf('sort_order', ['desc', 'asc']);
  const [network, mailDomain] = [address.text('network'), address.text('mail_domain')];
  const credits = useAdminCredits({
    page: address.page,
    sort_by: sortBy,
    sort_order: order,
    ...(network === undefined ? {} : { network }),
    ...(mailDomain === undefined ? {} : { mail_domain: mailDomain }),
  });
  /** A click reverses the order. A newly chosen column starts in descending order. */
  const sorting = (column: AdminCreditSort): Sorting => ({
    order: column === sortBy ? order : null,
    onSort: () => address.go({ sort_by: column, sort_order: column === sortBy && order === 'desc' ? 'asc' : 'desc' }),
  });
  const rows = credits.data?.credits;
  return (
    <>
      <div className="only-p b sort-by">
        <SelectField
          label={t('admin_referrals.credits.sort')}
          value={`${sortBy} ${order}`}
          onChange={(value) => {
            const [sort_by, sort_order] = value.split(' ');
            address.go({ sort_by, sort_order });
          }}
        >
          {SORTS.flatMap((column) =>
            (['desc', 'asc'] as const).map((each) => (
              <option key={`${column} ${each}`} value={`${column} ${each}`}>
                {t(`admin_referrals.credits.${SORT_LABELS[column]}`)}, {t(`admin_referrals.credits.${each}`)}
              </option>
            )),
          )}
        </SelectField>
      </div>
      {network === undefined && mailDomain === undefined ? null : (
        <div className="tools">
          {FILTERS.map((name) => {
            const value = address.text(name);
            return value === undefined ? null : (
              <Button key={name} endIcon={X} onClick={() => address.go({ [name]: undefined })}>
                {t(`admin_referrals.credits.only_${name}`, { value })}
                <span className="vh">, {t('admin_referrals.credits.show_all')}</span>
              </Button>
            );
          })}
        </div>
      )}
      <PageSummary
        query={credits}
        pages={credits.data}
        rows={rows}
        failed={t('admin_referrals.credits.failed')}
        empty={t('admin_referrals.credits.none')}
      >
        <RecordTable
          label={t('admin_referrals.tabs.credits')}
          rows={rows ?? []}
          columns={[
            {
              label: t('admin_referrals.credits.date'),
              sorting: sorting('created_at'),
              render: ({ created_at: at }) => <On at={at} />,
            },
            {
              label: t('admin_referrals.credits.user'),
              sorting: sorting('user_email'),
              render: (one) => <UserReference id={one.user_id} username={one.user_username} email={one.user_email} />,
            },
            {
              label: t('admin_referrals.credits.type'),
              render: (one) => t(`admin_referrals.credits.${one.credit_type}`),
            },
            {
              label: t('admin_referrals.credits.amount'),
              sorting: sorting('amount'),
              render: (one) => offeredMoney(one.amount, one.display_currency),
            },
            {
              label: t('admin_referrals.credits.used'),
              render: ({ used_amount: used }) => (
                <span title={exactMoney(used)}>{money(used, { rounding: 'up' })}</span>
              ),
            },
            {
              label: t('admin_referrals.credits.remaining'),
              render: ({ remaining_amount: left }) => (
                <span title={exactMoney(left)}>{money(left, { rounding: 'cut' })}</span>
              ),
            },
            {
              label: t('admin_referrals.credits.ip_address'),
              sorting: sorting('ip_address'),
              render: ({ ip_address: ip }) =>
                ip === null ? t('layout.not_available') : <span className="mono anywhere">{ip}</span>,
            },
            { label: t('admin_referrals.credits.partner'), render: (one) => <Partner credit={one} /> },
            {
              label: t('admin_referrals.credits.status'),
              render: (one) => t(`billing.credits.${creditStatus(one)}`),
            },
          ]}
          action={{
            label: t('admin_referrals.credits.actions'),
            isShown: true,
            render: (one) => <Adjust credit={one} />,
          }}
        />
      </PageSummary>
    </>
  );
}

function Partner({
  credit: { referral_user_username: name, referral_user_email: email },
}: {
  credit: AdminCreditAnswer;
}) {
  const t = useText();
  if (name === null) return t('layout.not_available');
  return (
    <span className="who">
      {name}
      <span className="small muted anywhere">{email}</span>
    </span>
  );
}

/** Inline form to change the amount. */
function Adjust({ credit }: { credit: AdminCreditAnswer }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return isOpen ? (
    <AdjustForm credit={credit} onClose={() => setOpen(false)} />
  ) : (
    <Button
      ref={opener}
      size="small"
      aria-label={t('admin_referrals.credits.adjust_of', { name: credit.user_username })}
      onClick={() => setOpen(true)}
    >
      {t('admin_referrals.credits.adjust')}
    </Button>
  );
}

function AdjustForm({ credit, onClose }: { credit: AdminCreditAnswer; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const id = useId();
  const [typed, setTyped] = useState(String(credit.amount));
  const [refusal, setRefusal] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const adjust = useAdjustCredit(credit.id);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (adjust.isPending) return;
    const amount = typed.trim() === '' ? Number.NaN : Number(typed);
    if (!Number.isFinite(amount) || amount < 0) {
      setRefusal(messageText(CREDITS_MESSAGES.amount_invalid));
      input.current?.focus();
      return;
    }
    setRefusal(null);
    try {
      await adjust.mutateAsync(amount);
      onClose();
      toast(t('admin_referrals.credits.adjusted'));
    } catch (error) {
      setRefusal(refusalOf(error) ?? t('admin_referrals.credits.adjust_failed'));
      input.current?.focus();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // A save in progress cannot be cancelled.
    if (event.key === 'Escape' && !adjust.isPending) onClose();
  };
  return (
    <form className="adjust" noValidate onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown}>
      <span className={`in${refusal === null ? '' : ' bad'}`}>
        <input
          ref={input}
          type="number"
          min="0"
          step="0.01"
          inputMode="decimal"
          aria-label={t('admin_referrals.credits.amount_of', { name: credit.user_username })}
          aria-invalid={refusal !== null}
          aria-describedby={`${id}-why`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </span>
      <Button type="submit" kind="primary" size="small" busy={adjust.isPending}>
        {t('admin_referrals.credits.save')}
      </Button>
      <Button size="small" busy={adjust.isPending} onClick={onClose}>
        {t('layout.cancel')}
      </Button>
      <span className="hint wrong" id={`${id}-why`} role="alert">
        {refusal}
      </span>
    </form>
  );
}
