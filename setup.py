"""Builds the extension with CMake. ARMATURE_BUILD names a build folder to use; without it the build goes to build/wheel."""
import os
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = os.environ.get("ARMATURE_BUILD") or os.path.join(ROOT, "build", "wheel")
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DARMATURE_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
        if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
            options += ["-G", "Ninja", "-DBUILD_TESTING=OFF"]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "armature_python", "armature_fmu", "armature_fmu_host"], check=True)
        built = os.path.join(build, "python", "armature")
        name = next(name for name in os.listdir(built) if name.startswith("_core.") and name.endswith(".so"))
        place = os.path.dirname(self.get_ext_fullpath(extension.name))
        os.makedirs(place, exist_ok=True)
        shutil.copy2(os.path.join(built, name), self.get_ext_fullpath(extension.name))
        shutil.copy2(os.path.join(built, "THIRD_PARTY_NOTICES"), place)
        shutil.copytree(os.path.join(build, "fmu_host"), os.path.join(place, "fmu_host"), dirs_exist_ok=True)  # in which imported FMUs run
        shutil.copytree(os.path.join(build, "plugins"), os.path.join(place, "plugins"), dirs_exist_ok=True)
        shutil.copytree(os.path.join(build, "fmu"), os.path.join(place, "fmu"), dirs_exist_ok=True)  # for export() as an FMU


os.makedirs(os.path.join(ROOT, "build"), exist_ok=True)
setup(
    packages=["armature"],
    package_dir={"armature": "python/armature"},
    package_data={"armature": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("armature._core", [])],
    cmdclass={"build_ext": CMakeBuild},
    options={"egg_info": {"egg_base": "build"}},
)
