import type { ADMIN_CREDIT_SORTS } from '@moorage/contracts';
import { useListContext } from 'react-admin';
import { useText } from '../../texts/console-i18n';
import { SelectField } from '../../ui/form/select-field';
import './sort-select.css';

/** Values repeated here with the contracts' type, because importing them would bundle their schemas. */
const FIELDS: typeof ADMIN_CREDIT_SORTS = ['created_at', 'user_email', 'amount', 'ip_address'];
const LABELS = { created_at: 'date', user_email: 'user', amount: 'amount', ip_address: 'ip_address' } as const;
const ORDERS = { DESC: 'desc', ASC: 'asc' } as const;

/** Order of the credits, for phones, where the table has no headings. */
export function SortSelect() {
  const t = useText();
  const { sort, setSort } = useListContext();
  return (
    <div className="only-p b sort-by">
      <SelectField
        label={t('admin_referrals.credits.sort')}
        value={`${sort.field} ${sort.order}`}
        onChange={(value) => {
          const [field = '', order] = value.split(' ');
          setSort({ field, order: order === 'ASC' ? 'ASC' : 'DESC' });
        }}
      >
        {FIELDS.flatMap((field) =>
          (['DESC', 'ASC'] as const).map((order) => (
            <option key={`${field} ${order}`} value={`${field} ${order}`}>
              {t(`admin_referrals.credits.${LABELS[field]}`)}, {t(`admin_referrals.credits.${ORDERS[order]}`)}
            </option>
          )),
        )}
      </SelectField>
    </div>
  );
}
