import Tooltip from '@mui/material/Tooltip';
import { Button, type ButtonProps } from '../ui/button';

/** Button that is disabled while it has a reason. It stays focusable, so that its tooltip can state the reason. */
export function LockedButton({
  reason,
  onClick,
  ...rest
}: Omit<ButtonProps, 'disabled' | 'onClick'> & { reason: string | null; onClick: () => void }) {
  if (reason === null) return <Button {...rest} onClick={onClick} />;
  return (
    <Tooltip title={reason} enterTouchDelay={0} describeChild>
      <Button {...rest} busy={false} aria-disabled={true} />
    </Tooltip>
  );
}
