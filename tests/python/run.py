"""Runs a test of this folder, with the packages of build/python if scripts/wheel has installed them: run.py MODULE."""
import os
import pathlib
import sys

installed = pathlib.Path(__file__).resolve().parents[2] / "build/python/bin/python"
python = str(installed) if installed.exists() else sys.executable
os.execv(python, [python, "-m", "unittest", "-v", *sys.argv[1:]])
