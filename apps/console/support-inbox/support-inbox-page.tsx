import { AdminOnly } from '../administration/admin-only';
import { useListAddress } from '../ui/list-screen/list-address';
import { ConversationScreen } from './conversation-screen';
import { InboxScreen } from './inbox-screen';

/** What people write to the support: the list, or one conversation of it. */
export default function SupportInboxPage() {
  return (
    <AdminOnly>
      <Shown />
    </AdminOnly>
  );
}

function Shown() {
  const id = Number(useListAddress().text('conversation'));
  return Number.isInteger(id) && id > 0 ? <ConversationScreen key={id} id={id} /> : <InboxScreen />;
}
