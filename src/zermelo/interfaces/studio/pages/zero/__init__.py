"""Zero: AlphaGo Zero's loop on a small game, trained while the visitor looks on.

task         in a search process: the lesson of zermelo.experiments.zero_lesson, told stage by stage
pictures     the curve, the boards with policy and visits, the paper's figures beside ours
"""
