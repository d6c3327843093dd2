import { useSearchParams } from 'react-router-dom';
import { useSession } from '../../data/session';
import { BillingOf } from './billing-of';
import { OwnBilling } from './own-billing';
import './billing-page.css';

/** Billing page of the user's own account or, for administrators, of another account (`?user=`). */
export default function BillingPage() {
  const [query] = useSearchParams();
  const me = useSession()?.user;
  const requested = query.get('user')?.trim() ?? '';
  const isOwn = [me?.username, me?.email].some((name) => name?.toLowerCase() === requested.toLowerCase());
  // The parameter is for administrators. Other users always see their own account.
  if (requested === '' || isOwn || me?.is_admin !== true) return <OwnBilling />;
  return <BillingOf key={requested} name={requested} />;
}
