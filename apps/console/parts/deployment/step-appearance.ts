import type { ProgressStepAnswer } from '@moorage/contracts';
import { Circle, CircleCheck, LoaderCircle, type LucideIcon, OctagonX, Signpost } from 'lucide-react';

/** Icon and tone of a step in a timeline (`ui/timeline.css`). */
export const STEP_APPEARANCE: Readonly<
  Record<ProgressStepAnswer['state'], { icon: LucideIcon; tone: string; turns?: true }>
> = {
  done: { icon: CircleCheck, tone: 'ok' },
  running: { icon: LoaderCircle, tone: 'now', turns: true },
  waiting: { icon: Circle, tone: 'wait' },
  action_required: { icon: Signpost, tone: 'need' },
  failed: { icon: OctagonX, tone: 'bad' },
};
