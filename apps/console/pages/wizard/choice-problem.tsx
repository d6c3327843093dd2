import { CircleAlert } from 'lucide-react';
import { messageText } from '../../texts/locale';
import { useWizard } from './wizard-context';

/** Server message about a choice. */
export function ChoiceProblem({ path }: { path: string }) {
  const { problems } = useWizard();
  const message = problems[path];
  if (message === undefined) return null;
  return (
    <p className="note port problem" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <span>{messageText(message)}</span>
    </p>
  );
}
