"""The lesson, in a search process.

in     game, options, rounds, seed, seconds (of training and looking, at most)
news   {"stage": …} as zermelo.experiments.zero_lesson.Stage has it
out    {"figures": [[what, the paper's, ours], …], "finished": bool}
"""

from __future__ import annotations

from zermelo.core.stopwatch import Stopwatch
from zermelo.experiments.zero_lesson import PAPER, Lesson, summed_up
from zermelo.interfaces.studio.tasks import Job, Message
from zermelo.search.searcher import need_rules

ASKED = 120  # positions: fewer than on the command line, because somebody waits


def zero_lesson(job: Job) -> Message:
    message = job.message
    lesson = Lesson(need_rules(job.game()), int(message["rounds"]), int(message["seed"]), asked=ASKED)
    stages, watch = [], None
    for stage in lesson.stages(every=int(message["every"])):
        stages.append(stage)
        job.tell(stage=stage.as_dict())
        if watch is None and stage.rounds:  # the first rounds compile
            job.began()
            watch = Stopwatch()
        if job.is_stopped or (watch is not None and watch.seconds > float(message["seconds"])):
            break
    figures = [[*both, ours] for both, ours in zip(PAPER, summed_up(lesson, tuple(stages)).ours(), strict=True)]
    return {"figures": figures, "finished": lesson.trainer.finished}
