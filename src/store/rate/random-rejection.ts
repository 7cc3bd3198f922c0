/**
 * Detects rejections that do not depend on our rate: one of many servers is overloaded, or others share the limit.
 * Sending more slowly does not reduce them, and a rate that fell with each of them would fall to nothing.
 *
 * A limit refuses nothing below the rate that it admits. If refusals continue while the rate falls far below that, a
 * much higher rate is tried for some answers. If the rate is the reason, most of them are refusals. If not, their share
 * stays the same, and from then on that share is ignored.
 */
export interface Chance {
  /** Called with the end of every exchange. True if it is a refusal to ignore. */
  saw(end: 'admitted' | 'refused' | 'lost'): boolean;
  /**
   * Called with every other refusal. Returns the rate to try if there is reason to doubt that the rate is to blame,
   * else undefined. `since`: answers since the last decrease, in whole rounds; infinite if there was none. `lingered`:
   * part of the lingering at the good rate that is over; 1 and more is beyond it.
   */
  doubts(rate: number, since: number, lingered: number): number | undefined;
  /** Called with every answer to a request that was sent at the tried rate. */
  tried(refused: boolean): 'not known yet' | 'chance' | 'rate';
  /** Forgets the rate that was admitted before. */
  forget(): void;
}

/** Answers over which the share of refusals is taken. */
const MEMORY = 200;
/** Largest share of all answers that is ignored. */
const MOST_SHARE = 0.4;
/** Random refusals are uneven: this many times the observed share is ignored, and up to IN_A_ROW at once. */
const MARGIN = 1.5;
const IN_A_ROW = 5;
/** Random refusals are over after a time without any in which this many were expected. */
const GONE_AFTER = 6;

/**
 * Refusals below the rate that was admitted before that are a reason for doubt. More are needed after a doubt that was
 * wrong.
 */
const SURPRISES = 5;
/** A refusal counts after this many answers, since the rate had been admitted till then, ... */
const ADMITTED_ANSWERS = 10;
/** ... and leads to a doubt once the rate is down to this part of the admitted one. */
const FAR_DOWN = 0.7;
/** Any refusal counts once the rate is below this part of the rate at the first refusal. */
const DEEP_DOWN = 1 / 6;

const TRY_ANSWERS = 40;

export function createChance(): Chance {
  let seen = 0;
  let refused = 0;
  let sinceLast = 0;
  /** The share that is ignored, and the number that may be ignored now. */
  let share = 0;
  let allowed = 0;

  let surprises = 0;
  let deepSurprises = 0;
  let patience = SURPRISES;
  /** Rates: the highest that was admitted for a while, and the one at the first refusal. */
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
      // Half-way between the share before and the share at twice the rate of a limit.
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
