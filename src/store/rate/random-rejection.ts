/**
 * Refusals that come however slowly one sends: from one server of many that has too much to do, or where others share
 * the limit. Slowing down makes them no fewer, and a rate that came down with each of them would come down to nothing.
 *
 * They are told apart by what is expected of a limit: below what it admits nothing is refused. Where something is, time
 * and again, while the rate comes far down, a much higher rate is tried for some answers. If the rate is the reason,
 * most of them are refusals; if not, no more than before, and from then on as many as there were are let pass.
 */
export interface Chance {
  /** Told of every answer: whether it is a refusal to let pass. */
  saw(end: 'admitted' | 'refused' | 'lost'): boolean;
  /**
   * Told of every other refusal: at which rate to find out, where there is reason to doubt that the rate is to blame.
   * `since`: answers since the last decrease, in whole rounds; infinite where there was none. `lingered`: for how much
   * of its time the rate has been where it was good; 1 and more is beyond.
   */
  doubts(rate: number, since: number, lingered: number): number | undefined;
  /** Told of every answer to what was sent at that rate. */
  tried(refused: boolean): 'not known yet' | 'chance' | 'rate';
  /** What was admitted before counts no more. */
  forget(): void;
}

/** Answers over which the share of refusals is taken. */
const MEMORY = 200;
/** The most that is let pass, as a share of all answers. */
const MOST_SHARE = 0.4;
/** Chance is uneven: this much more than was seen passes, and so many in a row. */
const MARGIN = 1.5;
const IN_A_ROW = 5;
/** As long without one as mostly brings so many: there are none any more. */
const GONE_AFTER = 6;

/** So many refusals below what was admitted before are a reason for doubt; more, after a doubt that was wrong. */
const SURPRISES = 5;
/** A refusal after so many answers is one, since the rate had been admitted till then, ... */
const ADMITTED_ANSWERS = 10;
/** ... and matters when the rate is down to this part of it. */
const FAR_DOWN = 0.7;
/** Any refusal is one where the rate is down to this part of what the first one was met with. */
const DEEP_DOWN = 1 / 6;

const TRY_ANSWERS = 40;

export function createChance(): Chance {
  let seen = 0;
  let refused = 0;
  let sinceLast = 0;
  /** The share that is let pass, and how many may pass at this moment. */
  let share = 0;
  let allowed = 0;

  let surprises = 0;
  let deepSurprises = 0;
  let patience = SURPRISES;
  /** Rates: the highest that was admitted for a while, and what the first refusal was met with. */
  let admitted = 0;
  let first = 0;
  let trial = { from: 0, answers: 0, refused: 0 };

  const lately = () => refused / Math.max(1, seen);

  function passes(): boolean {
    if (share === 0 || allowed < 1) return false;
    allowed--;
    return true;
  }

  return {
    saw(end) {
      if (end === 'lost') return false;
      sinceLast++;
      seen++;
      if (seen > MEMORY) [seen, refused] = [seen / 2, refused / 2];
      if (share > 0) {
        allowed = Math.min(IN_A_ROW, allowed + share * MARGIN);
        if (sinceLast * share > GONE_AFTER) share = 0;
      }
      if (end !== 'refused') return false;
      refused++;
      sinceLast = 0;
      return passes();
    },

    doubts(rate, since, lingered) {
      if (since === Number.POSITIVE_INFINITY) [first, deepSurprises] = [rate, 0];
      else if (lingered >= 1) [admitted, surprises, deepSurprises] = [rate, 0, 0];
      else if (since >= ADMITTED_ANSWERS) {
        admitted = Math.max(admitted, rate);
        surprises++;
        deepSurprises = Math.max(0, deepSurprises - 2);
      } else if (rate < first * DEEP_DOWN) deepSurprises++;
      const isFarDown = surprises >= patience && rate <= admitted * FAR_DOWN;
      if (!isFarDown && deepSurprises < patience) return undefined;
      surprises = deepSurprises = 0;
      trial = { from: rate, answers: 0, refused: 0 };
      return Math.max(rate * 2, admitted, first / 2);
    },

    tried(wasRefused) {
      trial.answers++;
      if (wasRefused) trial.refused++;
      // Half-way from what it was before to what it is at twice the rate of a limit.
      if (trial.refused > (TRY_ANSWERS * (1 + 3 * lately())) / 4) {
        patience *= 2;
        admitted = first = trial.from;
        return 'rate';
      }
      if (trial.answers < TRY_ANSWERS) return 'not known yet';
      patience = SURPRISES;
      share = Math.min(MOST_SHARE, lately());
      allowed = IN_A_ROW;
      return 'chance';
    },

    forget() {
      admitted = 0;
    },
  };
}
